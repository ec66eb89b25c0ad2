// Fields of the document for each capture. Session files, undo, reports and captures that are read again all use this
// list.
import type { PartView, SessionCapture, SessionFlag, SessionNode } from '../../ipc/gen/types';
import { setValues, type Field, type Fields } from '../fields/field';
import type { Capture } from './capture.svelte';
import { ALL_LANES, choiceKey, type LaneChoice } from './lanechoice';
import type { Place } from './network.svelte';

const field = <T>(declared: Field<Capture, SessionCapture, T>) => declared;

/** Makes all quick changes of a field one step of undo. */
const oneStroke = () => '';

/** The fields, in the order in which they are set. */
export const CAPTURE_FIELDS = {
  /** Folder that it was opened with, as one of its runs; null: it was opened by itself. */
  folder: field<string | null>({
    report: false,
    get: ({ folder }) => folder,
    set: (capture, folder) => (capture.folder = folder),
    saved: {
      write: (file, folder) => {
        if (folder !== null) file.folder = folder;
      },
      read: ({ folder }) => folder ?? null,
    },
  }),
  // Before the window: what a selection does to it is the same step of undo.
  /** Number of the selected exchange; null: none. */
  selection: field<number | null>({
    undo: 'the selection',
    get: ({ selection }) => selection.exchange,
    set: ({ selection }, exchange) => selection.select(exchange),
    saved: {
      write: (file, exchange) => (file.selection = exchange),
      read: ({ selection }, { view }) => (selection !== null && selection < view.exchanges ? selection : null),
    },
  }),
  /** Number of the association shown. */
  association: field<number>({
    undo: 'the association',
    get: ({ association }) => association,
    set: (capture, id) => capture.chooseAssociation(id),
    saved: {
      write: (file, id) => (file.association = id),
      read: ({ association }, { associations }) => (association < associations.length ? association : 0),
    },
  }),
  /** Node or link selected in Network; null: none. */
  place: field<Place | null>({
    undo: 'the node or link',
    get: ({ network }) => network.selected,
    set: ({ network }, place) => network.select(place),
  }),
  /** Frame open in Packets, from 0; null: none. */
  frame: field<number | null>({
    undo: 'the frame',
    stroke: oneStroke,
    get: ({ packets }) => packets.frame,
    set: ({ packets }, frame) => packets.open(frame),
  }),
  /** Filter expression of Packets; empty: none. */
  filter: field<string>({
    undo: 'the filter',
    get: ({ packets }) => packets.filter,
    set: ({ packets }, filter) => packets.apply(filter),
  }),
  /** Notes of the reader, each at a time of the trace. */
  flags: field<readonly SessionFlag[]>({
    undo: 'the flags',
    get: ({ flags }) => flags.all,
    set: ({ flags }, all) => flags.restore(all),
    saved: { write: (file, all) => (file.flags = [...all]), read: ({ flags }) => flags },
  }),
  /** Names and places that the reader gave to nodes. */
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
  /** Order, filter and pinned lanes of Timeline. */
  lanes: field<LaneChoice>({
    undo: 'the choice of lanes',
    // A filter that is typed is one step.
    stroke: (from, to) => (from.filter === to.filter ? choiceKey(to) : 'filter'),
    get: ({ laneChoice }) => laneChoice,
    set: (capture, choice) => {
      if (choice !== capture.laneChoice) capture.chooseLanes(choice);
    },
    saved: {
      write: (file, choice) => {
        const { order, filter, pinned, unfolded = [] } = choice;
        if (choiceKey(choice) === choiceKey(ALL_LANES)) return;
        file.lanes = { order, filter, pinned: [...pinned], ...(unfolded.length > 0 && { unfolded: [...unfolded] }) };
      },
      read: ({ lanes = ALL_LANES }, { associations }) => ({
        ...lanes,
        pinned: lanes.pinned.filter((id) => id < associations.length),
      }),
    },
  }),
  /** Replayed part: clients that stay as recorded, and the time from which timers change. */
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
  /** Start and end of the window, ns. */
  window: field<readonly [number, number]>({
    undo: 'the window of time',
    stroke: oneStroke,
    get: ({ viewport }) => [viewport.t0, viewport.t1],
    set: ({ viewport }, [t0, t1]) => viewport.set(t0, t1),
    saved: { write: (file, [t0, t1]) => (file.window = [t0, t1]), read: ({ window }) => window },
  }),
  /** Time of the playhead, ns. */
  playhead: field<number>({
    get: ({ playback }) => playback.at,
    set: ({ playback }, at) => {
      if (at !== playback.at) playback.restore(at);
    },
    saved: { write: (file, at) => (file.playhead = at), read: ({ playhead }) => playhead },
  }),
} satisfies Fields<Capture, SessionCapture>;

/**
 * Sets all fields of `next` to those of `before`, which is the same capture before it was read or judged again. Fields
 * named in `except` stay.
 */
export function carryOver(before: Capture, next: Capture, except: readonly (keyof typeof CAPTURE_FIELDS)[] = []): void {
  const values = Object.entries<Field<Capture, SessionCapture, unknown>>(CAPTURE_FIELDS)
    .filter(([name]) => !except.some((other) => other === name))
    .map(([name, { get }]) => [name, get(before)]);
  setValues(CAPTURE_FIELDS, next, Object.fromEntries(values));
}
