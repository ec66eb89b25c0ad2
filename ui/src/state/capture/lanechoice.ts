// Choice and order of the lanes of a capture.
import { canonical } from '../../ipc/canonical';
import type { AssociationView, LaneOrder, SessionLanes } from '../../ipc/gen/types';

/**
 * Order of the lanes, filter by name or address, IDs of pinned associations, and addresses of hosts that are unfolded.
 */
export type LaneChoice = Readonly<SessionLanes>;

/** All lanes, by name; hosts with many lanes are folded. */
export const ALL_LANES: LaneChoice = { order: 'name', filter: '', pinned: [] };

/** Text that is equal for equal choices only. */
export const choiceKey = ({ order, filter, pinned, unfolded = [] }: LaneChoice): string =>
  canonical({ order, filter, pinned, unfolded });

const COLLATOR = new Intl.Collator('en', { numeric: true });

/** Associations ordered by the names of their clients, then of their servers; numbers in names count as numbers. */
export function byName<T extends AssociationView>(associations: readonly T[]): T[] {
  const { compare } = COLLATOR;
  return [...associations].sort(
    (a, b) => compare(a.client_name, b.client_name) || compare(a.server_name, b.server_name) || a.id - b.id,
  );
}

/** Value by which lanes are ordered, greatest first. */
const RANKS: Readonly<Record<LaneOrder, (association: AssociationView) => number>> = {
  name: () => 0,
  needless: ({ needless, copies }) => needless / Math.max(1, copies),
  lost: ({ lost, copies }) => lost / Math.max(1, copies),
  copies: ({ copies }) => copies,
  completion: ({ completion }) => completion ?? -1,
};

/** Associations in an order: by name, or the greatest value first and equal ones by name. */
export function arranged<T extends AssociationView>(associations: readonly T[], order: LaneOrder): T[] {
  const rank = RANKS[order];
  return byName(associations).sort((a, b) => rank(b) - rank(a));
}

/**
 * Whether an association has a lane: it is pinned, or the filter is part of a name or address of it, in capitals or
 * not.
 */
export function hasLane(association: AssociationView, { filter, pinned }: LaneChoice): boolean {
  const sought = filter.trim().toLowerCase();
  const { id, client_name, server_name, client, server } = association;
  const texts = [client_name, server_name, client, server];
  return pinned.includes(id) || texts.some((text) => text.toLowerCase().includes(sought));
}

/**
 * Associations in the order of their lanes: pinned ones first. In a capture that has grown, those in `before` (IDs)
 * keep their places, and new ones stand last.
 */
export function stacked<T extends AssociationView>(
  associations: readonly T[],
  { order, pinned }: LaneChoice,
  before: readonly number[] = [],
): T[] {
  const place = new Map(before.map((id, at) => [id, at]));
  const last = before.length;
  const rank = ({ id }: AssociationView) => (last === 0 ? Number(!pinned.includes(id)) : (place.get(id) ?? last));
  return arranged(associations, order).sort((a, b) => rank(a) - rank(b));
}

/**
 * Least number of associations of a host that get a lane of their own together. Chosen here: fewer are seen at a
 * glance.
 */
export const MANY_OF_A_HOST = 4;

/** A host with many associations: clients of one address, each with a port of its own. */
export interface Host {
  /** Its address. */
  address: string;
  /** IDs of its associations, ascending; the first names the host in requests. */
  members: readonly number[];
}

/** The lane of a host, which has the marks of all its associations. */
export interface HostLane extends Host {
  /** Position in `hostsOf`, from 0. */
  place: number;
  /** Whether its associations have no lanes of their own. */
  folded: boolean;
  /** Number of its associations that the filter leaves. */
  left: number;
}

/** A lane of an association, or of a host, whose ID is then the number of the lane. */
export type LaneView = AssociationView & {
  /** The host that the lane is of; absent: it is that of one association. */
  host?: HostLane;
  /** Whether the lane is one of an unfolded host. */
  inner?: true;
};

/** An address with its port; the first group is the address. */
const PORT = /^(.*[.\]][^:\]]*):\d+$/;

/** A name without its port, where it has one. */
export const bare = (name: string): string => name.replace(PORT, '$1');

/** Address of the client of an association, without its port. */
export const hostAddress = ({ client }: AssociationView): string => bare(client);

/** Hosts with at least `MANY_OF_A_HOST` associations, in the order of their first ones. */
export function hostsOf(associations: readonly AssociationView[]): readonly Host[] {
  const all = new Map<string, number[]>();
  for (const one of associations) {
    const address = hostAddress(one);
    const members = all.get(address);
    if (members) members.push(one.id);
    else all.set(address, [one.id]);
  }
  return [...all]
    .filter(([, members]) => members.length >= MANY_OF_A_HOST)
    .map(([address, members]) => ({ address, members }));
}

/** Number of the lane of host `place` (src-tauri/crates/table/src/timeline/lanes.rs). */
export const laneOfHost = (place: number): number => 0xffff - 1 - place;

/** Sums up the associations of a host as one; `all` are those of the capture. */
function hostView(host: HostLane, all: readonly AssociationView[], nameOf: (id: number) => string): LaneView {
  const members = host.members.flatMap((id) => all[id] ?? []);
  const first = members[0] as AssociationView;
  const sum = (of: (one: AssociationView) => number) => members.reduce((total, one) => total + of(one), 0);
  const same = <T>(of: (one: AssociationView) => T, other: T) =>
    members.every((one) => of(one) === of(first)) ? of(first) : other;
  const timed = members.filter(({ completion }) => completion !== null);
  const exchanges = timed.reduce((total, one) => total + one.exchanges, 0);
  const weighted = timed.reduce((total, one) => total + one.exchanges * (one.completion ?? 0), 0);
  const servers = `${new Set(members.map(({ server }) => server)).size} servers`;
  return {
    ...first,
    id: laneOfHost(host.place),
    client_name: nameOf(first.id),
    client: host.address,
    server_name: same(({ server_name }) => server_name, servers),
    server: same(({ server }) => server, servers),
    hops: same(({ hops }) => hops, null),
    exchanges: sum((one) => one.exchanges),
    copies: sum(({ copies }) => copies),
    needless: sum(({ needless }) => needless),
    lost: sum(({ lost }) => lost),
    // Weighted by exchanges, for orders; the core counts percentiles of all exchanges together.
    completion: exchanges === 0 ? null : weighted / exchanges,
    completion_p95: null,
    host,
  };
}

/**
 * Lanes from the top: pinned ones first, else in the order of the choice. A host with many associations has one lane;
 * where it is unfolded, those of its associations follow. `associations` are all, by ID; `before` as in `stacked`;
 * `nameOf` returns the name of the host of an association.
 */
export function lanesOf(
  associations: readonly AssociationView[],
  choice: LaneChoice,
  before: readonly number[] = [],
  nameOf: (id: number) => string = (id) => bare(associations[id]?.client_name ?? ''),
): readonly LaneView[] {
  const left = associations.filter((one) => hasLane(one, choice));
  const hosts = hostsOf(associations);
  if (hosts.length === 0) return stacked(left, choice, before);
  const hostBy = new Map(hosts.flatMap(({ members }, place) => members.map((id) => [id, place] as const)));
  const membersLeft = new Map<number, AssociationView[]>();
  const single: LaneView[] = [];
  for (const one of left) {
    const place = hostBy.get(one.id);
    const members = place === undefined ? single : membersLeft.get(place);
    if (members) members.push(one);
    else if (place !== undefined) membersLeft.set(place, [one]);
  }
  const views = [...membersLeft].flatMap(([place, some]) => {
    const host = hosts[place];
    const folded = host !== undefined && !(choice.unfolded ?? []).includes(host.address);
    return host ? [hostView({ ...host, place, folded, left: some.length }, associations, nameOf)] : [];
  });
  // A host is pinned with any of its associations, and stands where the first of them stood before.
  const pinned = views.filter(({ host }) => host?.members.some((id) => choice.pinned.includes(id))).map(({ id }) => id);
  const firsts = new Map(views.map(({ id, host }) => [host?.members[0], id]));
  const stood = before.map((id) => firsts.get(id) ?? id);
  const units = stacked([...single, ...views], { ...choice, pinned: [...choice.pinned, ...pinned] }, stood);
  return units.flatMap((unit) =>
    unit.host === undefined || unit.host.folded
      ? [unit]
      : [unit, ...stacked(membersLeft.get(unit.host.place) ?? [], choice, before).map((one) => inner(one, unit))],
  );
}

/** An association of an unfolded host, named by its port: the name of the host alone is that of all of them. */
function inner(one: AssociationView, { client_name }: LaneView): LaneView {
  const port = one.client.slice(hostAddress(one).length);
  return { ...one, client_name: `${client_name}${port}`, inner: true };
}
