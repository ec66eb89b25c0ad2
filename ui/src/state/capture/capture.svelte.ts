import type { Columns } from '../../ipc/arrow';
import type { Backend } from '../../ipc/backend';
import type { ExchangeColumns, LaneColumns, NavigatorColumns, RtoColumns } from '../../ipc/gen/commands';
import type {
  AssociationView,
  AssumedView,
  CaptureView,
  ExchangesRequest,
  ExchangeView,
  IdentifyView,
  OpenRequest,
} from '../../ipc/gen/types';
import { Flags } from './flags.svelte';
import { History } from '../fields/history.svelte';
import { Ladder } from './ladder.svelte';
import { ALL_LANES, hasLane, stacked, type LaneChoice } from './lanechoice';
import { Network } from './network.svelte';
import { Nodes } from './nodes.svelte';
import { Packets } from './packets.svelte';
import { Part } from '../replay/part.svelte';
import { Playback } from './time/playback.svelte';
import { Reply } from '../replies/reply.svelte';
import { Runs, States } from '../replay/runs.svelte';
import { laneTiles, rtoTiles } from './time/lanetiles';
import { Selection } from './selection.svelte';
import type { Tiles } from './time/tiles.svelte';
import { Viewport } from './time/viewport.svelte';
import { ChannelStates } from './channelstates.svelte';
import { Trust } from '../replay/trust.svelte';
import { Experiment } from '../replay/whatif.svelte';

/** Bins of the navigator; of the rail's sparkline one per {@link SPARK}. */
const BINS = 872;
const SPARK = 10;

/** An exchange request without its page. */
export type ExchangeFilter = Omit<ExchangesRequest, 'capture' | 'offset' | 'limit'>;

/** One open capture: its data, and the reader's window, selection and replies. */
export class Capture {
  readonly view: CaptureView;
  /** For people: the sample's name, or the file's without its endings. */
  readonly title: string;
  /** The bundled sample it is. */
  readonly sample: string | null;
  /** The request that opened it, with the keys given: they stay in this window's memory. */
  readonly request: OpenRequest;
  readonly viewport: Viewport;
  readonly selection = new Selection();
  readonly playback: Playback;
  readonly runs: Runs;
  readonly experiment: Experiment;
  readonly lanes: Tiles<Columns<LaneColumns>>;
  readonly rto: Tiles<Columns<RtoColumns>>;
  readonly states: States;
  readonly packets: Packets;
  readonly ladder: Ladder;
  readonly network: Network;
  readonly channelStates: ChannelStates;
  readonly trust: Trust;
  readonly flags = new Flags();
  readonly nodes = new Nodes();
  readonly part = new Part();
  readonly navigator = new Reply<Columns<NavigatorColumns>>();
  readonly detail = new Reply<ExchangeView>();
  readonly count = new Reply<number>();
  readonly identity = new Reply<IdentifyView>();
  /** Assumptions of the reader, with their history. */
  readonly said: History<readonly AssumedView[]>;
  #backend: Backend;
  #association = $state(0);
  #choice = $state.raw<LaneChoice>(ALL_LANES);
  #followed: number | null = null;
  readonly #shortest: readonly AssociationView[];
  readonly #associations = $derived.by(() => this.#named());
  /** Lanes of the same capture when it was shorter, in their order. */
  #before = $state.raw<readonly number[]>([]);
  readonly #ordered = $derived.by(() => stacked(this.#associations, this.#choice, this.#before));
  readonly #laned = $derived(this.#ordered.filter((one) => hasLane(one, this.#choice)));
  #spark = $derived(sparkline(this.navigator.value));

  constructor(
    backend: Backend,
    view: CaptureView,
    title: string,
    sample: string | null = null,
    origin?: OpenRequest,
    said?: History<readonly AssumedView[]>,
  ) {
    this.#backend = backend;
    this.said = said ?? new History<readonly AssumedView[]>(view.said);
    this.request = origin ?? { path: view.path, sample, merge: null, decode: null };
    this.view = view;
    this.#shortest = shortNames(view.associations);
    this.title = title;
    this.sample = sample;
    this.viewport = new Viewport(view.start, view.end);
    if (view.telling) this.viewport.set(...view.telling);
    this.runs = new Runs(backend, view.id);
    this.playback = new Playback(backend, view.id, this.viewport, (key) => this.runs.of(key)?.run);
    this.experiment = new Experiment(backend, view.id);
    this.lanes = laneTiles(backend, view.id, () => this.laned);
    this.rto = rtoTiles(backend, view.id, () => this.#association);
    this.states = new States(backend, view.id);
    this.packets = new Packets(backend, view.id);
    this.ladder = new Ladder(backend, view.id);
    this.network = new Network(backend, view.id);
    this.channelStates = new ChannelStates(backend, view.id);
    this.trust = new Trust(backend, view.id);
    const bins = { capture: view.id, bins: BINS };
    void this.navigator.ask('all', ({ signal }) => backend.call('navigator', bins, { signal }));
  }

  get id(): number {
    return this.view.id;
  }

  /** Clients and servers as the reader calls them, else with the shortest names that differ; the position is the lane. */
  get associations(): readonly AssociationView[] {
    return this.#associations;
  }

  /** All associations in the order of their lanes; at first by name. */
  get ordered(): readonly AssociationView[] {
    return this.#ordered;
  }
  /** Those that have lanes, from the top. */
  get laned(): readonly AssociationView[] {
    return this.#laned;
  }
  get laneChoice(): LaneChoice {
    return this.#choice;
  }
  /** Chooses and orders lanes anew; what `changes` does not say stays. */
  chooseLanes(changes: Partial<LaneChoice>): void {
    this.#choice = { ...this.#choice, ...changes };
    this.#before = [];
  }
  /** Puts the lanes of an association first, or back in their order. */
  pin(id: number): void {
    const { pinned } = this.#choice;
    this.chooseLanes({ pinned: pinned.includes(id) ? pinned.filter((other) => other !== id) : [...pinned, id] });
  }

  /** Keeps the window and the order of lanes of `before`, the same capture when it was shorter; new lanes stand last. */
  follow(before: Capture): void {
    this.viewport.follow(before.viewport);
    this.#choice = before.laneChoice;
    this.#before = before.ordered.map(({ id }) => id);
  }

  #named(): readonly AssociationView[] {
    const { nodes } = this;
    return this.#shortest.map((one) => ({
      ...one,
      ...{ client_name: nodes.nameOf(one.client_name), server_name: nodes.nameOf(one.server_name) },
    }));
  }

  /** The association that the RTO view shows. */
  get association(): number {
    return this.#association;
  }
  chooseAssociation(id: number): void {
    this.#association = id;
  }

  lane(id: number): AssociationView | undefined {
    return this.associations[id];
  }

  /** Frames over time, for the rail. */
  get spark(): readonly number[] {
    return this.#spark;
  }

  /** Asks for an exchange under `runs`. */
  wantDetail(exchange: number | null, runs: readonly number[]): void {
    if (exchange === null) {
      this.detail.clear();
      return;
    }
    const request = { capture: this.id, exchange, runs: [...runs] };
    void this.detail.ask(`${exchange} ${runs.join()}`, ({ signal }) =>
      this.#backend.call('exchange', request, { signal }),
    );
  }

  /** Shows the association of the selected exchange in the views of one association. For effects. */
  followSelection(): void {
    const { exchange } = this.selection;
    if (exchange === null || exchange === this.#followed) return;
    this.wantDetail(exchange, []);
    const detail = this.detail.value;
    if (detail?.exchange !== exchange) return;
    // Once: the reader may look at another association after.
    this.#followed = exchange;
    this.chooseAssociation(detail.association);
  }

  /** Position of an exchange in the exchange table; null where `filter` leaves it out. */
  rowOf(exchange: number, filter: ExchangeFilter): Promise<number | null> {
    const list = { ...filter, capture: this.id, offset: 0, limit: 0 };
    return this.#backend.call('exchange_row', { list, exchange });
  }

  /** Asks which algorithm was running. For effects. */
  wantIdentity(): void {
    const request = { capture: this.id, associations: [] };
    void this.identity.ask('all', ({ signal, onProgress }) =>
      this.#backend.call('identify', request, { signal, onProgress }),
    );
  }

  /** The assumption about one association; null: about all. */
  saidOf(association: number | null): AssumedView {
    return (
      this.said.now.find((one) => one.association === association) ?? {
        ...{ association, vantage: null, workload: null, stack: null },
      }
    );
  }

  /** Asks how many exchanges pass `filter`. */
  wantCount(filter: ExchangeFilter): void {
    const request = { ...filter, capture: this.id, offset: 0, limit: 0 };
    void this.count.ask(JSON.stringify(filter), async ({ signal }) => {
      const { count } = await this.#backend.call('exchange_count', request, { signal });
      return count;
    });
  }

  /** One page of the exchange table. */
  exchanges(filter: ExchangeFilter, offset: number, limit: number): Promise<Columns<ExchangeColumns>> {
    return this.#backend.call('exchanges', { ...filter, capture: this.id, offset, limit });
  }
}

const PORT = /^(.*[.\]][^:\]]*):\d+$/;

/** Ports left out where addresses alone tell the ends apart. */
export function shortNames(associations: readonly AssociationView[]): AssociationView[] {
  const bare = (name: string) => name.replace(PORT, '$1');
  const kinds = (names: readonly string[]) => names.filter((name, index) => names.indexOf(name) === index).length;
  const shortest = (names: readonly string[]) => kinds(names.map(bare)) === kinds(names);
  const clients = shortest(associations.map(({ client_name }) => client_name));
  const servers = shortest(associations.map(({ server_name }) => server_name));
  return associations.map((association) => ({
    ...association,
    client_name: clients ? bare(association.client_name) : association.client_name,
    server_name: servers ? bare(association.server_name) : association.server_name,
  }));
}

function sparkline(columns: Columns<NavigatorColumns> | undefined): readonly number[] {
  if (!columns) return [];
  const bins = new Array<number>(Math.ceil(columns.length / SPARK)).fill(0);
  columns.frames.forEach((frames, index) => {
    const bin = Math.floor(index / SPARK);
    bins[bin] = (bins[bin] ?? 0) + frames;
  });
  const most = Math.max(1, ...bins);
  return bins.map((frames) => frames / most);
}
