// Findings of axe in a window, and texts in it that are slips of a program.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Values that are printed by mistake; a decode tree may say `Security Enabled: false`. */
const SLIPS = /\S*(?:\bundefined\b|\bNaN\b|\[object \w+\]|[^\s:]false\b)/g;

/** One line for each broken rule and place, and for each slip; empty where all is well. */
export async function axe(page: Page): Promise<string[]> {
  // Evaluated, not a script tag: the page's own policy refuses scripts that are not its own.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  );
  const slips = (await page.locator('body').innerText()).match(SLIPS) ?? [];
  return [
    ...violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id} at ${String(node.target)}: ${rule.help}`)),
    ...slips.map((slip) => `printed by mistake: ${slip}`),
  ];
}
