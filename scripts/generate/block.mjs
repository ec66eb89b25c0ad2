// Generated parts of Markdown files stand between the marks `<!-- NAME -->` and `<!-- /NAME -->`.
import { Stop } from '../run.mjs';

/**
 * Returns `text` with `lines` in the place of what stands between the marks of `name`; throws Stop where they are
 * missing.
 */
export function block(text, name, lines, path) {
  const [open, close] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const [start, end] = [text.indexOf(open), text.indexOf(close)];
  if (start < 0 || end < start) throw new Stop(`${path} has no ${open.trim()} … ${close}`);
  return text.slice(0, start + open.length) + lines + text.slice(end);
}
