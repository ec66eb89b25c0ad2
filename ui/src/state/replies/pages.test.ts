import { expect, it } from 'vitest';
import { PAGE, Pages } from './pages.svelte';

it('fetches each page once and finds rows in it', async () => {
  const asked: number[] = [];
  const pages = new Pages((offset, limit) => {
    asked.push(offset);
    return Promise.resolve({ offset, limit });
  });
  pages.want(0, 30);
  pages.want(10, PAGE + 5);
  await Promise.resolve();
  await new Promise((resolve) => setTimeout(resolve));
  expect(asked).toEqual([0, PAGE]);
  expect(pages.at(PAGE + 3)).toEqual({ page: { offset: PAGE, limit: PAGE }, index: 3 });
  expect(pages.at(PAGE * 9)).toBeUndefined();
});
