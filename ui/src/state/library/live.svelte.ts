import { Failure, type Backend } from '../../ipc/backend';
import type { CaptureView, ClockView, LiveDevice, LivePlan, LiveView } from '../../ipc/gen/types';

/** Between two questions how a recording does, ms. */
const LOOK = 1000;
/** Reading what is new takes at most this share of the time. */
const SHARE = 0.25;
/** Rates kept for the picture of them. */
const KEPT = 60;
/** The first channel of the 2.4 GHz band. */
const FIRST = 11;

/** Recording what sniffers hear: one recording at a time, and the capture that it becomes. */
export class Live {
  #backend: Backend;
  #grew: (view: CaptureView) => void;
  #devices = $state.raw<readonly LiveDevice[]>([]);
  #view = $state.raw<LiveView | null>(null);
  #failure = $state.raw<Failure | null>(null);
  #rates = $state.raw<readonly number[]>([]);
  #clocks = $state.raw<readonly ClockView[]>([]);
  #busy = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #rested = 0;

  /** What is typed: devices, one at least, and where to record. */
  plans = $state<LivePlan[]>([{ device: '', channel: FIRST }]);
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
  /** Everything is typed that a recording needs. */
  get ready(): boolean {
    return this.path.trim() !== '' && this.plans.every(({ device }) => device.trim() !== '');
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

  /** How a device's clock was brought onto the others', as of what was read last; none where it is alone. */
  clock(device: string): ClockView | undefined {
    return this.#clocks.find(({ source }) => source === device || source.startsWith(`${device} `));
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
      const first = this.plans[0];
      if (first) first.device ||= this.#devices[0]?.device ?? '';
    });
  }

  /** One device more: one that is plugged in and not yet taken, on the next channel. */
  add(): void {
    const free = this.#devices.find(({ device }) => this.plans.every((plan) => plan.device !== device));
    const channel = Math.min(26, (this.plans.at(-1)?.channel ?? FIRST - 1) + 1);
    this.plans.push({ device: free?.device ?? '', channel });
  }

  /** One less; one stays. */
  remove(at: number): void {
    if (this.plans.length > 1) this.plans.splice(at, 1);
  }

  /** Ask where to record. */
  async choose(): Promise<void> {
    await this.#ask(async () => {
      const name = this.path.split(/[/\\]/).at(-1);
      this.path = (await this.#backend.save(name === undefined || name === '' ? 'live.pcapng' : name)) ?? this.path;
    });
  }

  async record(): Promise<void> {
    const devices = this.plans.map(({ device, channel }) => ({ device: device.trim(), channel }));
    await this.#exclusively(async () => {
      this.#view = await this.#backend.call('live_start', { devices, path: this.path.trim() });
      this.#rates = [];
      this.#clocks = [];
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

  /** Send a device to another channel, now where it is recorded. */
  async moveTo(at: number, channel: number): Promise<void> {
    const plan = this.plans[at];
    if (plan) plan.channel = channel;
    if (!this.running) return;
    await this.#ask(() => this.#backend.call('live_channel', { device: at, channel }));
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
    if (!capture) return;
    this.#clocks = capture.read_as.clocks;
    this.#grew(capture);
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
