import { describe, expect, test } from 'vitest';
import { SIZES, THEMES, axe, open, shoot } from './window';

describe.each(THEMES)('in %s', (theme) => {
  test.each(SIZES)('the page opens at $width x $height', async (size) => {
    const page = await open('', { theme, size });
    expect(await page.title()).toContain('RTOscope');
    expect(await axe(page)).toEqual([]);
    await shoot(page, `start-${theme}`);
  });
});
