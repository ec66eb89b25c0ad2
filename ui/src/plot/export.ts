// Export of drawings of the page as one SVG file or PNG. Computed styles become attributes, so that the file needs no
// stylesheet; text stays text.

/** Style properties that become attributes. */
const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linejoin',
  'stroke-linecap',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
] as const;

const escape = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${String(character.charCodeAt(0))};`);
const round = (value: number) => Number(value.toFixed(2));

/**
 * Text of an SVG file with everything drawn in `root`, its drawings and the text around them, on the background that it
 * has on the page.
 */
export function pictureOf(root: HTMLElement): string {
  const frame = root.getBoundingClientRect();
  const parts: string[] = [];
  for (const svg of root.querySelectorAll('svg')) {
    const box = svg.getBoundingClientRect();
    const inner = [...svg.children].map((child) => styled(child)).join('');
    if (!inner) continue;
    // An SVG of its own, as on the page: what sticks out of it is cut off unless it may be seen there.
    const view = svg.getAttribute('viewBox');
    const place = `x="${round(box.left - frame.left)}" y="${round(box.top - frame.top)}"`;
    const size = `width="${round(box.width)}" height="${round(box.height)}" overflow="${getComputedStyle(svg).overflowX}"`;
    parts.push(`<svg ${place} ${size}${view ? ` viewBox="${view}" preserveAspectRatio="none"` : ''}>${inner}</svg>`);
  }
  parts.push(...words(root, frame));
  const [width, height] = [Math.ceil(frame.width), Math.ceil(frame.height)];
  const paper = backgroundOf(root);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<defs>${[...document.querySelectorAll('pattern')].map(styled).join('')}</defs>`,
    `<rect width="100%" height="100%" fill="${paper}"/>`,
    ...parts,
    '</svg>\n',
  ].join('\n');
}

/** Background colour behind `element`: its own, or that of the nearest ancestor that has one. */
function backgroundOf(element: HTMLElement | null): string {
  for (let up = element; up; up = up.parentElement) {
    const colour = getComputedStyle(up).backgroundColor;
    if (!/^(transparent|rgba\(0, 0, 0, 0\))$/.test(colour)) return colour;
  }
  return 'transparent';
}

/** SVG text of an element with computed styles; empty where it is hidden. */
function styled(element: Element): string {
  const style = getComputedStyle(element);
  if (style.display === 'none' || style.visibility === 'hidden') return '';
  const own = [...element.attributes]
    .filter(
      ({ name }) =>
        !/^(class|style|aria-.*|data-.*|role|tabindex)$/.test(name) && !(STYLES as readonly string[]).includes(name),
    )
    .map(({ name, value }) => `${name}="${escape(value)}"`);
  const computed = STYLES.flatMap((name) => {
    const value = style.getPropertyValue(name);
    return value === '' || (value === 'none' && name === 'stroke-dasharray')
      ? []
      : [`${name}="${escape(hatched(value))}"`];
  });
  const inner = [...element.childNodes]
    .map((node) => (node instanceof Element ? styled(node) : escape(node.textContent?.trim() ?? '')))
    .join('');
  return `<${element.localName} ${[...own, ...computed].join(' ')}>${inner}</${element.localName}>`;
}

/** Turns a computed `url("…#hatch")` into the form of a file of its own, `url(#hatch)`. */
function hatched(value: string): string {
  return value.replace(/^url\("?[^#]*(#[^")]+)"?\).*$/, 'url($1)');
}

/** SVG text elements for the text of `root` outside of drawings, each in its place. */
function words(root: HTMLElement, frame: DOMRect): string[] {
  const found: string[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    const text = node.textContent?.replace(/\s+/g, ' ').trim();
    if (!parent || !text || parent.closest('svg, .visually-hidden, script, style')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    const style = getComputedStyle(parent);
    if (box.width === 0 || style.visibility === 'hidden' || style.opacity === '0') continue;
    const [x, y] = [round(box.left - frame.left), round(box.top - frame.top + box.height * 0.78)];
    const font = `font-family="${escape(style.fontFamily)}" font-size="${style.fontSize}" font-weight="${style.fontWeight}"`;
    found.push(
      `<text x="${x}" y="${y}" fill="${style.color}" ${font} textLength="${round(box.width)}">${escape(text)}</text>`,
    );
  }
  return found;
}

/** Renders the text of an SVG file as PNG, with `ratio` pixels per px. Rejects where the browser cannot draw it. */
export async function pngOf(svg: string, ratio = 2): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.width * ratio;
    canvas.height = image.height * ratio;
    const context = canvas.getContext('2d');
    context?.scale(ratio, ratio);
    context?.drawImage(image, 0, 0);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (!blob) throw new Error('The picture could not be made.');
    return blob;
  } finally {
    URL.revokeObjectURL(url);
  }
}
