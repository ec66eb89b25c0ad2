// Choice and order of the lanes of a capture.
import { canonical } from '../../ipc/canonical';
import type { AssociationView, LaneOrder, SessionLanes } from '../../ipc/gen/types';

/** Order of the lanes, filter by name or address, and IDs of pinned associations. */
export type LaneChoice = Readonly<SessionLanes>;

/** All lanes, by name. */
export const ALL_LANES: LaneChoice = { order: 'name', filter: '', pinned: [] };

/** Text that is equal for equal choices only. */
export const choiceKey = ({ order, filter, pinned }: LaneChoice): string => canonical({ order, filter, pinned });

const COLLATOR = new Intl.Collator('en', { numeric: true });

/** Associations ordered by the names of their clients, then of their servers; numbers in names count as numbers. */
export function byName(associations: readonly AssociationView[]): AssociationView[] {
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
export function arranged(associations: readonly AssociationView[], order: LaneOrder): AssociationView[] {
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
export function stacked(
  associations: readonly AssociationView[],
  { order, pinned }: LaneChoice,
  before: readonly number[] = [],
): AssociationView[] {
  const place = new Map(before.map((id, at) => [id, at]));
  const last = before.length;
  const rank = ({ id }: AssociationView) => (last === 0 ? Number(!pinned.includes(id)) : (place.get(id) ?? last));
  return arranged(associations, order).sort((a, b) => rank(a) - rank(b));
}
