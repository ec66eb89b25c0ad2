import { Failure, type Backend } from '../ipc/backend';
import type { CaptureView, LiveDevice, LiveView } from '../ipc/gen/types';

/** Between two questions how a recording does, ms. */
const LOOK = 1000;
/** Reading what is new takes at most this share of the time. */
const SHARE = 0.25;
/** Rates kept for the picture of them. */
const KEPT = 60;

/** Recording what sniffers hear: one recording at a time, and the capture that it becomes. */
export class Live {
  #backend: Backend;
  #grew: (view: CaptureView) => void;
  #devices = $state.raw<readonly LiveDevice[]>([]);
  #view = $state.raw<LiveView | null>(null);
  #failure = $state.raw<Failure | null>(null);
  #rates = $state.raw<readonly number[]>([]);
  #busy = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #rested = 0;

  /** What is typed. */
  device = $state('');
  channel = $state(11);
  path = $state('');
  /** Show what comes as it comes. */
  follows = $state(true);

  constructor(backend: Backend, grew: (view: CaptureView) => void) {
    this.#backend = backend;
    this.#grew = grew;
  }

  /** What is plugged in. */
  get devices(): readonly LiveDevice[] {
    return this.#devices;
  }
  get view(): LiveView | null {
    return this.#view;
  }
  /** Why the last thing that was asked did not work. */
  get failure(): Failure | null {
    return this.#failure;
  }
  get running(): boolean {
    return this.#view?.is_running ?? false;
  }
  /** Starting or stopping. */
  get busy(): boolean {
    return this.#busy;
  }
  /** Frames in each of the last seconds, oldest first. */
  get rates(): readonly number[] {
    return this.#rates;
  }
  /** Frames that somebody heard and nobody has. */
  get missing(): number {
    const lost = this.#view?.devices.reduce((sum, { dropped, lost }) => sum + dropped + lost, 0) ?? 0;
    return lost + (this.#view?.unwritten ?? 0);
  }

  /** What is there, and whether a recording runs already: the page may have been loaded again. */
  async start(): Promise<void> {
    await this.look();
    await this.#ask(async () => {
      this.#view = await this.#backend.call('live_state', null);
      if (this.running) this.#later();
    });
  }

  /** Look for devices. */
  async look(): Promise<void> {
    await this.#ask(async () => {
      this.#devices = await this.#backend.call('live_devices', null);
      this.device ||= this.#devices[0]?.device ?? '';
    });
  }

  async record(): Promise<void> {
    const devices = [{ device: this.device.trim(), channel: this.channel }];
    await this.#exclusively(async () => {
      this.#view = await this.#backend.call('live_start', { devices, path: this.path.trim() });
      this.#rates = [];
      this.#rested = 0;
      this.#later();
    });
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#exclusively(async () => {
      this.#view = await this.#backend.call('live_stop', null);
      await this.#read();
    });
  }

  /** Send the device that is recorded to another channel. */
  async moveTo(channel: number): Promise<void> {
    this.channel = channel;
    if (!this.running) return;
    await this.#ask(() => this.#backend.call('live_channel', { device: 0, channel }));
  }

  #later(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#tick(), LOOK);
  }

  async #tick(): Promise<void> {
    await this.#ask(async () => {
      const view = await this.#backend.call('live_state', null);
      // Stopped meanwhile: what that said stands.
      if (this.#busy) return;
      this.#view = view;
      const rate = view?.devices.reduce((sum, device) => sum + device.rate, 0) ?? 0;
      this.#rates = [...this.#rates, rate].slice(-KEPT);
      this.#rested -= LOOK;
      if (this.follows && this.#rested <= 0) await this.#read();
    });
    if (this.running && !this.#busy) this.#later();
  }

  /** Long recordings take long to read, and are read less often. */
  async #read(): Promise<void> {
    const began = performance.now();
    const capture = await this.#backend.call('live_refresh', null);
    this.#rested = (performance.now() - began) / SHARE;
    if (capture) this.#grew(capture);
  }

  async #exclusively(work: () => Promise<void>): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    await this.#ask(work);
    this.#busy = false;
  }

  async #ask(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
      this.#failure = null;
    } catch (thrown) {
      this.#failure = Failure.from(thrown);
    }
  }
}
