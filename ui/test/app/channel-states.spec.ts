// Channel states in the shipped binary, on a run whose channel states were planted (traces/live-ge-linux): the fit
// stands, its posterior is drawn, and it says what it is.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../../scripts/env.mjs';
import { start } from './app';

const SHOTS = join(import.meta.dirname, '../shots');
const CAPTURE = join(ROOT, 'traces', 'live-ge-linux', 'capture.pcap.gz');

test('a path with two states shows when it was bad', async () => {
  const { session, close } = await start(CAPTURE);
  try {
    await session.find('.cap.on');
    await session.execute(`document.querySelector('#tab-timeline').click()`);
    await session.until(
      'the button',
      `const button = [...document.querySelectorAll('.tools button')].find((b) => b.textContent.trim() === 'Channel states');
       if (button?.getAttribute('aria-pressed') === 'false') button.click();
       return document.querySelector('.channel-states tbody tr') !== null`,
    );
    await session.until(
      'the posterior',
      `return (document.querySelector('.channel-states path.bad')?.getAttribute('d')?.length ?? 0) > 200`,
    );
    const said = await session.execute<string>(`return document.querySelector('.channel-states').textContent`);
    expect(said).toContain('two states');
    mkdirSync(SHOTS, { recursive: true });
    writeFileSync(join(SHOTS, 'app-channel-states.png'), await session.screenshot());
  } finally {
    await close();
  }
});
