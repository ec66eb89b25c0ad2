// The registry of views. `views/registry.ts` adds the component of each; tabs, keys, palette, tests and session files
// use this list.

/** The least that must be there for a view to show something. */
export type ViewNeeds = 'nothing' | 'capture' | 'exchanges';

/** Declaration of a view. */
export interface ViewSpec {
  /** Name in addresses, session files and preferences. */
  id: string;
  /** Title on its tab. */
  title: string;
  needs: ViewNeeds;
  /** Whether the shown algorithms are replayed while it is open. Other views ask for runs themselves or need none. */
  replays: boolean;
  /** Key of a view beyond the first nine. */
  key?: string;
}

/** Every view, in the order of the tabs; the first nine have the keys 1 to 9. */
export const VIEWS = [
  { id: 'timeline', title: 'Timeline', needs: 'exchanges', replays: true },
  { id: 'exchanges', title: 'Exchanges', needs: 'exchanges', replays: true },
  { id: 'rto', title: 'RTO', needs: 'exchanges', replays: true },
  { id: 'compare', title: 'Compare', needs: 'exchanges', replays: true },
  { id: 'whatif', title: 'What-if', needs: 'exchanges', replays: false },
  { id: 'packets', title: 'Packets', needs: 'capture', replays: true },
  { id: 'ladder', title: 'Ladder', needs: 'exchanges', replays: true },
  { id: 'network', title: 'Network', needs: 'capture', replays: true },
  { id: 'algorithms', title: 'Algorithms', needs: 'nothing', replays: false },
  { id: 'figures', title: 'Figures', needs: 'capture', replays: false },
  { id: 'study', title: 'Study', needs: 'nothing', replays: false, key: 'S' },
  { id: 'report', title: 'Report', needs: 'capture', replays: false },
] as const satisfies readonly ViewSpec[];

/** Name of a view. */
export type ViewId = (typeof VIEWS)[number]['id'];

/** The key that opens a view, by its place among all; undefined without. */
export function viewKey(view: ViewSpec, place: number): string | undefined {
  return place < 9 ? String(place + 1) : view.key;
}

/** The declaration of a view. */
export function viewSpec(id: ViewId): ViewSpec {
  return VIEWS.find((view) => view.id === id) ?? VIEWS[0];
}

/** The view that `text` names; undefined where there is none, as in the session file of another version. */
export function viewNamed(text: string): ViewId | undefined {
  return VIEWS.find(({ id }) => id === text)?.id;
}
