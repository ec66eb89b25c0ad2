// Recorded replies that are changed before the page is opened: a folder of runs, made of one bundled capture under
// several names, and a figure that the core refuses.
import type { Page } from 'playwright-core';
import type { CaptureView, TagView } from '../../src/ipc/gen/types';

/** Folder that the dialog of recorded replies gives. */
export const FOLDER = '/recorded/runs';
/** Bundled capture whose replies are those of each run. */
const SAMPLE = 'live-sleepy-default';
/** Number of the first run, beyond those of recorded captures. */
const FIRST = 900;

/** A run: its path in the folder, and the value of its tag `preset`. */
export interface FakeRun {
  path: string;
  preset: string;
}

export const RUNS: readonly FakeRun[] = [
  { path: 'default-seed1/radio.pcap.gz', preset: 'default' },
  { path: 'default-seed2/radio.pcap.gz', preset: 'default' },
  { path: 'cocoa-seed1/radio.pcap.gz', preset: 'cocoa' },
];

/** Puts the folder with `runs` among the recorded replies, before the page is opened. */
export async function withRuns(page: Page, runs: readonly FakeRun[] = RUNS): Promise<void> {
  const made: Record<string, unknown> = {
    'runs-found.json': {
      ...{ folder: FOLDER, patterns: [], captures: [], ran: [], study: null },
      others: runs.map(({ path }) => path),
    },
  };
  await page.route('**/fixtures/index.json', async (route) => {
    const reply = await route.fetch();
    const index = (await reply.json()) as Record<string, string>;
    const opened = index[`open {"sample":"${SAMPLE}"}`] ?? '';
    const origin = new URL(route.request().url());
    const view = (await (await page.request.get(new URL(opened, origin).href)).json()) as CaptureView;
    const own = new RegExp(`"capture":${String(view.id)}(?!\\d)`);
    const ofSample = Object.entries(index).filter(([key]) => own.test(key) && !key.startsWith('figure'));
    const others: Record<string, string> = { [`study_find {"folder":"${FOLDER}"}`]: 'runs-found.json' };
    for (const [at, { path, preset }] of runs.entries()) {
      const id = FIRST + at;
      const whole = `${FOLDER}/${path}`;
      made[`run-${String(id)}.json`] = {
        ...view,
        id,
        path: whole,
        name: path.split('/').at(-1),
        sha256: `${id}`.repeat(8),
      };
      made[`tags-${String(id)}.json`] = [
        { key: 'mac', value: 'TSCH', why: 'name' },
        { key: 'preset', value: preset, why: 'name' },
      ] satisfies TagView[];
      for (const [key, file] of ofSample) others[key.replace(own, `"capture":${String(id)}`)] = file;
      others[`open {"path":"${whole}"}`] = `run-${String(id)}.json`;
      others[`proposed_tags {"capture":${String(id)}}`] = `tags-${String(id)}.json`;
    }
    await route.fulfill({ json: { ...index, ...others } });
  });
  await page.route(/\/fixtures\/(runs-found|run-\d+|tags-\d+)\.json$/, async (route) => {
    await route.fulfill({ json: made[new URL(route.request().url()).pathname.split('/').at(-1) ?? ''] });
  });
}

/** Makes the core refuse the figure of a recipe with a message. */
export async function refuse(page: Page, recipe: string, message: string): Promise<void> {
  await page.route('**/fixtures/index.json', async (route) => {
    const index = (await (await route.fetch()).json()) as Record<string, string>;
    const isAsked = (key: string) => key.startsWith('figure {') && key.includes(`"recipe":"${recipe}"`);
    const json = Object.fromEntries(
      Object.entries(index).map(([key, file]) => [key, isAsked(key) ? 'refused.error.json' : file]),
    );
    await route.fulfill({ json });
  });
  await page.route('**/fixtures/refused.error.json', (route) =>
    route.fulfill({ json: { code: 'request', message, detail: null, at: null } }),
  );
}
