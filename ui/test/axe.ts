// What axe finds wrong in a window.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** One line a rule and place. An empty list is the only good one. */
export async function axe(page: Page): Promise<string[]> {
  // Evaluated, not a script tag: the page's own policy refuses scripts that are not its own.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  );
  return violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id} at ${String(node.target)}: ${rule.help}`));
}
