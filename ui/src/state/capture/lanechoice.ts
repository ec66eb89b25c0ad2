// Choice and order of the lanes of a capture.
import { canonical } from '../../ipc/canonical';
import type { AssociationView, LaneOrder, SessionLanes } from '../../ipc/gen/types';

/** Order, filter and pinned lanes. */
export type LaneChoice = Readonly<SessionLanes>;

/** All lanes, by name. */
export const ALL_LANES: LaneChoice = { order: 'name', filter: '', pinned: [] };

/** Text that is equal for equal choices. */
export const choiceKey = ({ order, filter, pinned }: LaneChoice): string => canonical({ order, filter, pinned });

const COLLATOR = new Intl.Collator('en', { numeric: true });

/** By names of clients, then of servers. */
export function byName(associations: readonly AssociationView[]): AssociationView[] {
  const { compare } = COLLATOR;
  return [...associations].sort(
    (a, b) => compare(a.client_name, b.client_name) || compare(a.server_name, b.server_name) || a.id - b.id,
  );
}

const RANKS: Readonly<Record<LaneOrder, (association: AssociationView) => number>> = {
  name: () => 0,
  needless: ({ needless, copies }) => needless / Math.max(1, copies),
  lost: ({ lost, copies }) => lost / Math.max(1, copies),
  copies: ({ copies }) => copies,
  completion: ({ completion }) => completion ?? -1,
};

/** By name, or the greatest of the rank first; equal ones by name. */
export function arranged(associations: readonly AssociationView[], order: LaneOrder): AssociationView[] {
  const rank = RANKS[order];
  return byName(associations).sort((a, b) => rank(b) - rank(a));
}

/** Whether the filter is part of a name or an address of the association, in capitals or not, or it is pinned. */
export function hasLane(association: AssociationView, { filter, pinned }: LaneChoice): boolean {
  const sought = filter.trim().toLowerCase();
  const { id, client_name, server_name, client, server } = association;
  const texts = [client_name, server_name, client, server];
  return pinned.includes(id) || texts.some((text) => text.toLowerCase().includes(sought));
}

/** Pinned ones first, then in their order. Of a capture that has grown, those that were there `before` keep their places, and new ones stand last. */
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
