// Live capture, in the rail: what can be typed, what is refused and said; both themes. Recording itself is tested in the app.
import { describe, expect, test } from 'vitest';
import { THEMES, axe, open, shoot } from './window';

test('a recording needs a device and a file; why it does not begin is said in place', async () => {
  const page = await open('/timeline');
  const live = page.getByRole('region', { name: 'Live capture' });
  const record = live.getByRole('button', { name: 'Record' });
  expect(await record.isDisabled()).toBe(true);
  await live.getByLabel('Device').fill('zep');
  expect(await record.isDisabled()).toBe(true);
  await live.getByLabel('Record to').fill('/nowhere/live.pcapng');
  await record.click();
  const why = await live.getByRole('alert').innerText();
  expect(why).toContain('/nowhere/live.pcapng cannot be written');
  // What was typed stays, to be put right.
  expect(await live.getByLabel('Record to').inputValue()).toBe('/nowhere/live.pcapng');
  expect(await record.isDisabled()).toBe(false);
});

describe.each(THEMES)('in %s', (theme) => {
  test('it is accessible', async () => {
    const page = await open('/timeline', { theme });
    await page.getByLabel('Device').fill('zep');
    await page.getByLabel('Record to').fill('/nowhere/live.pcapng');
    await page.getByRole('button', { name: 'Record' }).click();
    await page.getByRole('region', { name: 'Live capture' }).getByRole('alert').waitFor();
    await shoot(page, `live-${theme}`);
    expect(await axe(page)).toEqual([]);
  });
});
