import { afterEach, beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  const context = { clearRect: () => undefined } as unknown as CanvasRenderingContext2D;
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation((() => context) as never);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('a picture is drawn some times in the life of a page, and no more', async () => {
  const { warmUp } = await import('./warmup');
  const [first, second] = [vi.fn(), vi.fn()];
  warmUp(() => first, 300, 200);
  vi.advanceTimersByTime(5_000);
  expect(first).toHaveBeenCalledTimes(10);
  warmUp(() => second, 300, 200);
  vi.advanceTimersByTime(5_000);
  expect(second).not.toHaveBeenCalled();
});

test('nothing is drawn while somebody moves the picture, nor once nobody wants it', async () => {
  const { warmUp } = await import('./warmup');
  const drawn = vi.fn();
  let moving = true;
  const still = () => {
    drawn();
  };
  const stop = warmUp(
    () =>
      moving
        ? () => {
            drawn();
          }
        : still,
    300,
    200,
  );
  vi.advanceTimersByTime(3_000);
  expect(drawn).not.toHaveBeenCalled();
  moving = false;
  vi.advanceTimersByTime(600);
  expect(drawn).toHaveBeenCalled();
  const times = drawn.mock.calls.length;
  stop();
  vi.advanceTimersByTime(5_000);
  expect(drawn).toHaveBeenCalledTimes(times);
});
