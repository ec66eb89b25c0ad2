import type { Columns } from '../../ipc/arrow';
import type { Backend } from '../../ipc/backend';
import type { ExchangeColumns, LaneColumns, NavigatorColumns, RtoColumns } from '../../ipc/gen/commands';
import type {
  AssociationView,
  AssumedView,
  CaptureView,
  ExchangesRequest,
  ExchangeView,
  HostView,
  IdentifyView,
  OpenRequest,
} from '../../ipc/gen/types';
import { Flags } from './flags.svelte';
import { History } from '../fields/history.svelte';
import { Ladder } from './ladder.svelte';
import {
  ALL_LANES,
  bare,
  hasLane,
  hostAddress,
  hostsOf,
  lanesOf,
  stacked,
  type Host,
  type LaneChoice,
  type LaneView,
} from './lanechoice';
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

/** Bins of the navigator, and bins that the rail's sparkline sums up in one of its own. */
const BINS = 872;
const SPARK = 10;

/** A request for exchanges without its capture and page: the filter and order of the table. */
export type ExchangeFilter = Omit<ExchangesRequest, 'capture' | 'offset' | 'limit'>;

/** One open capture: its summary, replies about it, and the reader's window, selection and settings. */
export class Capture {
  /** Summary of the capture as the core made it. */
  readonly view: CaptureView;
  /** Name for people: the sample's, or the file's without its endings; the folder's where another file has the same. */
  title = $state('');
  /** Folder that it was opened with, as one of its runs; null: it was opened by itself. */
  folder = $state<string | null>(null);
  /** ID of the bundled capture that it is; null for a file. */
  readonly sample: string | null;
  /** The request that opened it, with the keys given, which stay in this window's memory. */
  readonly request: OpenRequest;
  readonly viewport: Viewport;
  readonly selection = new Selection();
  readonly playback: Playback;
  readonly runs: Runs;
  readonly experiment: Experiment;
  /** Hosts with many associations. */
  readonly hosts: readonly Host[];
  readonly lanes: Tiles<Columns<LaneColumns>>;
  /** Completion times of the hosts, for each behaviour that was asked for. */
  readonly hostTimes = new Reply<{ runs: readonly (number | null)[]; times: readonly (readonly HostView[])[] }>();
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
  /** Assumptions of the reader, with undo and redo. */
  readonly said: History<readonly AssumedView[]>;
  #backend: Backend;
  #association = $state(0);
  #sought = $state.raw<{ association: number } | null>(null);
  #choice = $state.raw<LaneChoice>(ALL_LANES);
  #followed: number | null = null;
  readonly #shortest: readonly AssociationView[];
  readonly #associations = $derived.by(() => this.#named());
  /** IDs of associations in the order of their lanes when the capture was shorter; empty where it did not grow. */
  #before = $state.raw<readonly number[]>([]);
  readonly #ordered = $derived.by(() => stacked(this.#associations, this.#choice, this.#before));
  readonly #laned = $derived.by(() => {
    const nameOf = (id: number) => this.nodes.nameOf(bare(this.#shortest[id]?.client_name ?? ''));
    return lanesOf(this.#associations, this.#choice, this.#before, nameOf);
  });
  readonly #left = $derived(this.#associations.filter((one) => hasLane(one, this.#choice)).length);
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
    this.hosts = hostsOf(view.associations);
    this.lanes = laneTiles(backend, view.id, () => this.laned, this.hosts);
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

  /** Number of the capture in requests. */
  get id(): number {
    return this.view.id;
  }

  /**
   * Associations, clients and servers named as the reader calls them, else by the shortest names that differ; the index
   * is the ID.
   */
  get associations(): readonly AssociationView[] {
    return this.#associations;
  }

  /** All associations in the order of their lanes, at first by name. */
  get ordered(): readonly AssociationView[] {
    return this.#ordered;
  }
  /** Lanes from the top: associations, and hosts with many of them. */
  get laned(): readonly LaneView[] {
    return this.#laned;
  }
  /** Number of associations that the filter leaves. */
  get left(): number {
    return this.#left;
  }
  /** Order, filter and pinned lanes. */
  get laneChoice(): LaneChoice {
    return this.#choice;
  }
  /** Changes the choice of lanes; members that `changes` lacks stay. */
  chooseLanes(changes: Partial<LaneChoice>): void {
    this.#choice = { ...this.#choice, ...changes };
    this.#before = [];
  }
  /**
   * Pins the lanes of an association to the top, or puts them back in their order. A host is pinned as a whole, by its
   * lane, or by any of its associations while it is folded.
   */
  pin(id: number): void {
    const { pinned } = this.#choice;
    const whole = (lane: LaneView) => lane.id === id || (lane.host?.folded === true && lane.host.members.includes(id));
    const members = this.#laned.find((lane) => lane.host && whole(lane))?.host?.members ?? [id];
    const left = pinned.filter((other) => !members.includes(other));
    this.chooseLanes({ pinned: left.length < pinned.length ? left : [...pinned, members[0] ?? id] });
  }
  /** Folds the lanes of hosts with many of them into one each (true), or unfolds them. */
  fold(hosts: readonly Host[], folded: boolean): void {
    const addresses = hosts.map(({ address }) => address);
    const others = (this.#choice.unfolded ?? []).filter((address) => !addresses.includes(address));
    this.chooseLanes({ unfolded: folded ? others : [...others, ...addresses] });
  }
  /** The host with many lanes that an association is of; undefined: it is of none. */
  hostOf(id: number): Host | undefined {
    const association = this.#associations[id];
    return association && this.hosts.find(({ address }) => address === hostAddress(association));
  }

  /**
   * Takes over the window and the order of lanes of `before`, the same capture when it was shorter; new lanes stand
   * last.
   */
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

  /** ID of the association that views of one association show. */
  get association(): number {
    return this.#association;
  }
  chooseAssociation(id: number): void {
    this.#association = id;
  }

  /** The association whose client, or node, the core calls `core`; undefined where there is none. */
  ofClient(core: string): AssociationView | undefined {
    // A node has no port, and an IPv6 address without one no brackets.
    const names = (name: string) => [name, bare(name), bare(name).replace(/^\[(.*)\]$/, '$1')];
    return this.associations[this.view.associations.findIndex((one) => names(one.client_name).includes(core))];
  }
  /** The name that the reader gives a client or node that the core calls `core`. */
  callOf(core: string): string {
    return this.ofClient(core)?.client_name ?? this.nodes.nameOf(core);
  }

  /** The association whose lane is to be in sight; each time another object. Null: none. */
  get sought(): { association: number } | null {
    return this.#sought;
  }
  /** Goes to a time (ns), and to the lane of a client that the core calls `core`; a filter that hides it is cleared. */
  goTo(at: number, core: string | null): void {
    this.playback.seek(at);
    this.viewport.reveal(at);
    const lane = core === null ? undefined : this.ofClient(core);
    this.#sought = lane ? { association: lane.id } : null;
    if (!lane) return;
    this.chooseAssociation(lane.id);
    if (!hasLane(lane, this.#choice)) this.chooseLanes({ filter: '' });
  }

  /** The association with this ID; undefined where there is none. */
  lane(id: number): AssociationView | undefined {
    return this.associations[id];
  }

  /** Frames over time for the rail, each bin as a share of the fullest one, 0 to 1. */
  get spark(): readonly number[] {
    return this.#spark;
  }

  /** Asks for an exchange as recorded and in `runs` (numbers of runs); null clears the reply. For effects. */
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

  /** Asks for the completion times of hosts in `runs`; nothing without hosts. For effects. */
  wantHosts(runs: readonly (number | null)[]): void {
    const hosts = this.hosts.map(({ members }) => members[0] ?? 0);
    if (hosts.length === 0) return;
    void this.hostTimes.ask(runs.join(), async ({ signal }) => ({
      runs,
      times: await this.#backend.call('lane_hosts', { capture: this.id, runs: [...runs], hosts }, { signal }),
    }));
  }
  /** 95th percentile of completion times of a host, by its position, in a run (null: recorded), ns; null: not known. */
  hostP95(place: number, run: number | null): number | null {
    const found = this.hostTimes.value;
    return found?.times[found.runs.indexOf(run)]?.[place]?.completion_p95 ?? null;
  }

  /** Shows the association of a newly selected exchange in the views of one association. For effects. */
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

  /** Row of an exchange in the exchange table, from 0; null where `filter` leaves it out. Rejects as requests do. */
  rowOf(exchange: number, filter: ExchangeFilter): Promise<number | null> {
    const list = { ...filter, capture: this.id, offset: 0, limit: 0 };
    return this.#backend.call('exchange_row', { list, exchange });
  }

  /** Asks which algorithms were running. For effects. */
  wantIdentity(): void {
    const request = { capture: this.id, associations: [] };
    void this.identity.ask('all', ({ signal, onProgress }) =>
      this.#backend.call('identify', request, { signal, onProgress }),
    );
  }

  /** The assumption about one association, or about all for null; its members are null where nothing is assumed. */
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

  /** Rows `offset` to before `offset + limit` of the exchange table. Rejects as requests do. */
  exchanges(filter: ExchangeFilter, offset: number, limit: number): Promise<Columns<ExchangeColumns>> {
    return this.#backend.call('exchanges', { ...filter, capture: this.id, offset, limit });
  }
}

/**
 * Associations with the ports of their clients, and of their servers, left out where addresses alone tell them apart.
 */
export function shortNames(associations: readonly AssociationView[]): AssociationView[] {
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
