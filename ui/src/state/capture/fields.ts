// Fields of the document for each capture. Session files, undo, reports and a capture that is read again all go by this list.
import type { PartView, SessionCapture, SessionFlag, SessionNode } from '../../ipc/gen/types';
import { setValues, type Field, type Fields } from '../fields/field';
import type { Capture } from './capture.svelte';
import { ALL_LANES, choiceKey, type LaneChoice } from './lanechoice';
import type { Place } from './network.svelte';

const field = <T>(declared: Field<Capture, SessionCapture, T>) => declared;

const oneStroke = () => '';

export const CAPTURE_FIELDS = {
  // Before the window: what a selection does to it is the same step of undo.
  selection: field<number | null>({
    undo: 'the selection',
    get: ({ selection }) => selection.exchange,
    set: ({ selection }, exchange) => selection.select(exchange),
    saved: {
      write: (file, exchange) => (file.selection = exchange),
      read: ({ selection }, { view }) => (selection !== null && selection < view.exchanges ? selection : null),
    },
  }),
  association: field<number>({
    undo: 'the association',
    get: ({ association }) => association,
    set: (capture, id) => capture.chooseAssociation(id),
    saved: {
      write: (file, id) => (file.association = id),
      read: ({ association }, { associations }) => (association < associations.length ? association : 0),
    },
  }),
  /** In Network. */
  place: field<Place | null>({
    undo: 'the node or link',
    get: ({ network }) => network.selected,
    set: ({ network }, place) => network.select(place),
  }),
  /** In Packets. */
  frame: field<number | null>({
    undo: 'the frame',
    stroke: oneStroke,
    get: ({ packets }) => packets.frame,
    set: ({ packets }, frame) => packets.open(frame),
  }),
  /** In Packets. */
  filter: field<string>({
    undo: 'the filter',
    get: ({ packets }) => packets.filter,
    set: ({ packets }, filter) => packets.apply(filter),
  }),
  flags: field<readonly SessionFlag[]>({
    undo: 'the flags',
    get: ({ flags }) => flags.all,
    set: ({ flags }, all) => flags.restore(all),
    saved: { write: (file, all) => (file.flags = [...all]), read: ({ flags }) => flags },
  }),
  /** Names and places of nodes. */
  nodes: field<readonly SessionNode[]>({
    undo: 'the names and places of nodes',
    get: ({ nodes }) => nodes.all,
    set: ({ nodes }, all) => nodes.restore(all),
    saved: {
      write: (file, all) => {
        if (all.length > 0) file.nodes = [...all];
      },
      read: ({ nodes }) => nodes ?? [],
    },
  }),
  /** In Timeline. */
  lanes: field<LaneChoice>({
    undo: 'the choice of lanes',
    // A filter that is typed is one step.
    stroke: (from, to) => (from.filter === to.filter ? choiceKey(to) : 'filter'),
    get: ({ laneChoice }) => laneChoice,
    set: (capture, choice) => {
      if (choice !== capture.laneChoice) capture.chooseLanes(choice);
    },
    saved: {
      write: (file, { order, filter, pinned }) => {
        const isUsual = choiceKey({ order, filter, pinned }) === choiceKey(ALL_LANES);
        if (!isUsual) file.lanes = { order, filter, pinned: [...pinned] };
      },
      read: ({ lanes = ALL_LANES }, { associations }) => ({
        ...lanes,
        pinned: lanes.pinned.filter((id) => id < associations.length),
      }),
    },
  }),
  part: field<PartView>({
    undo: 'who is replayed, and from when',
    get: ({ part }) => part.given,
    set: ({ part }, given) => part.restore(given),
    saved: {
      write: (file, given) => Object.assign(file, given),
      read: ({ as_recorded = [], start }, { associations }) => ({
        as_recorded: as_recorded.filter((id) => id < associations.length),
        ...(start && { start }),
      }),
    },
  }),
  window: field<readonly [number, number]>({
    undo: 'the window of time',
    stroke: oneStroke,
    get: ({ viewport }) => [viewport.t0, viewport.t1],
    set: ({ viewport }, [t0, t1]) => viewport.set(t0, t1),
    saved: { write: (file, [t0, t1]) => (file.window = [t0, t1]), read: ({ window }) => window },
  }),
  playhead: field<number>({
    get: ({ playback }) => playback.at,
    set: ({ playback }, at) => {
      if (at !== playback.at) playback.restore(at);
    },
    saved: { write: (file, at) => (file.playhead = at), read: ({ playhead }) => playhead },
  }),
} satisfies Fields<Capture, SessionCapture>;

/** Sets all fields of `next` to those of `before`: the same capture, read or judged again. `except` stay as they are. */
export function carryOver(before: Capture, next: Capture, except: readonly (keyof typeof CAPTURE_FIELDS)[] = []): void {
  const values = Object.entries<Field<Capture, SessionCapture, unknown>>(CAPTURE_FIELDS)
    .filter(([name]) => !except.some((other) => other === name))
    .map(([name, { get }]) => [name, get(before)]);
  setValues(CAPTURE_FIELDS, next, Object.fromEntries(values));
}
