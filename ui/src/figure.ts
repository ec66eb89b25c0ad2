// A figure as an SVG file, without a window: `npm run figure` (scripts/figure.mjs) runs this in Node.
export { figureFile } from './plot/figure/sheet';
