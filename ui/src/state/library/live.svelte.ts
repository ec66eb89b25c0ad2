import { Failure, type Backend } from '../../ipc/backend';
import type { CaptureView, ClockView, LiveDevice, LivePlan, LiveView } from '../../ipc/gen/types';
import { LOOK, restAfter } from './pace';

/** Length of the plot of frame rates, seconds. */
const KEPT = 60;
/** First channel of the 2.4 GHz band (IEEE 802.15.4: 11 to 26). */
const FIRST = 11;

/**
 * The live recording, one at a time, and the capture that it becomes. Calls `grew` with each new state of the capture.
 */
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

  /** Devices as typed, at least one, each with its radio channel. */
  plans = $state<LivePlan[]>([{ device: '', channel: FIRST }]);
  /** Path of the file to record to. */
  path = $state('');
  /** Whether new frames are shown as they come. */
  follows = $state(true);

  constructor(backend: Backend, grew: (view: CaptureView) => void) {
    this.#backend = backend;
    this.#grew = grew;
  }

  /** Devices that are plugged in. */
  get devices(): readonly LiveDevice[] {
    return this.#devices;
  }
  /** State of the recording; null before the first. */
  get view(): LiveView | null {
    return this.#view;
  }
  /** Error of the last command; null where it succeeded. */
  get failure(): Failure | null {
    return this.#failure;
  }
  get running(): boolean {
    return this.#view?.is_running ?? false;
  }
  /** Whether everything that a recording needs is typed. */
  get ready(): boolean {
    return this.path.trim() !== '' && this.plans.every(({ device }) => device.trim() !== '');
  }
  /** Whether it starts or stops at the moment. */
  get busy(): boolean {
    return this.#busy;
  }
  /** Frames in each of the last 60 seconds, oldest first. */
  get rates(): readonly number[] {
    return this.#rates;
  }
  /** Number of frames that a sniffer heard and the file lacks. */
  get missing(): number {
    const lost = this.#view?.devices.reduce((sum, { dropped, lost }) => sum + dropped + lost, 0) ?? 0;
    return lost + (this.#view?.unwritten ?? 0);
  }

  /** Alignment of a device's clock with the others', as of the last reading; undefined for a single device. */
  clock(device: string): ClockView | undefined {
    return this.#clocks.find(({ source }) => source === device || source.startsWith(`${device} `));
  }

  /** Looks for devices, and for a recording that runs already, as after a reload of the page. */
  async start(): Promise<void> {
    await this.look();
    await this.#ask(async () => {
      this.#view = await this.#backend.call('live_state', null);
      if (this.running) this.#later();
    });
  }

  /** Looks for devices that are plugged in. */
  async look(): Promise<void> {
    await this.#ask(async () => {
      this.#devices = await this.#backend.call('live_devices', null);
      const first = this.plans[0];
      if (first) first.device ||= this.#devices[0]?.device ?? '';
    });
  }

  /** Adds a device that is plugged in and not yet taken, on the next channel. */
  add(): void {
    const free = this.#devices.find(({ device }) => this.plans.every((plan) => plan.device !== device));
    const channel = Math.min(26, (this.plans.at(-1)?.channel ?? FIRST - 1) + 1);
    this.plans.push({ device: free?.device ?? '', channel });
  }

  /** Removes the device at this index; one stays. */
  remove(at: number): void {
    if (this.plans.length > 1) this.plans.splice(at, 1);
  }

  /** Asks for the file to record to. */
  async choose(): Promise<void> {
    await this.#ask(async () => {
      const name = this.path.split(/[/\\]/).at(-1);
      this.path = (await this.#backend.save(name === undefined || name === '' ? 'live.pcapng' : name)) ?? this.path;
    });
  }

  /** Starts recording from the planned devices into the file at `path`. */
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

  /** Stops recording and reads the rest of the file. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#exclusively(async () => {
      this.#view = await this.#backend.call('live_stop', null);
      await this.#read();
    });
  }

  /** Moves the device at this index to another radio channel, at once while it records. */
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
      // Stopped meanwhile: the reply of the stop stands.
      if (this.#busy) return;
      this.#view = view;
      const rate = view?.devices.reduce((sum, device) => sum + device.rate, 0) ?? 0;
      this.#rates = [...this.#rates, rate].slice(-KEPT);
      this.#rested -= LOOK;
      if (this.follows && this.#rested <= 0) await this.#read();
    });
    if (this.running && !this.#busy) this.#later();
  }

  /** Reads the new frames. Long recordings take long to read and are read less often. */
  async #read(): Promise<void> {
    const began = performance.now();
    const capture = await this.#backend.call('live_refresh', null);
    this.#rested = restAfter(performance.now() - began);
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
