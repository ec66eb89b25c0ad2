// `npm run icons`: draws src-tauri/icons/*.png from icon.svg, after the mark has changed.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { RUST, UI } from '../env.mjs';
import { chromium } from '../needs.mjs';

const SIZES = [32, 128, 256, 512];

export default async function () {
  const playwright = createRequire(join(UI, 'package.json'))('playwright-core');
  const browser = await playwright.chromium.launch({ executablePath: chromium(), args: ['--no-sandbox'] });
  const svg = readFileSync(join(RUST, 'icons', 'icon.svg'), 'utf8');
  for (const size of SIZES) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    await page.setContent(`<style>body{margin:0}svg{display:block;width:100%;height:100%}</style>${svg}`);
    await page.screenshot({ path: join(RUST, 'icons', `${size}x${size}.png`), omitBackground: true });
  }
  await browser.close();
}
