// Ink of files: colours of the light theme, read from the tokens themselves, so that a figure has the same octets
// wherever it is drawn.
import tokens from '../../tokens.css?raw';
import type { Ink } from '../surface';

const COLOURS = new Map(
  [...tokens.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}),/g)].map(([, name = '', light = '']) => [name, light]),
);

/** Colours of the light theme, whatever theme or contrast the window has. */
export const LIGHT: Ink = {
  paint: (token) => COLOURS.get(token) ?? 'currentColor',
  hatch: (token) => `url(#hatch-${token})`,
};
