// Fields of the document besides captures. Session files, undo and reports all use this list and that of
// `capture/fields.ts`.
import type {
  AlgorithmChoice,
  KeptPrediction,
  PolicyView,
  SessionFile,
  SessionReplay,
  SessionSweep,
} from '../../ipc/gen/types';
import type { Field, Fields } from '../fields/field';
import { sameOrder } from '../library/groups';
import type { Library } from '../library/library.svelte';
import { choiceKey } from '../replay/algorithms.svelte';
import type { Navigation } from '../window/navigation.svelte';
import type { Stored } from '../window/prefs.svelte';
import { viewNamed, type ViewId } from '../window/views';
import type { LeftOut } from '../workspace/figures.svelte';
import type { Workspace } from '../workspace/workspace.svelte';

/** The parts of the window that hold the document. */
export interface Holder {
  workspace: Workspace;
  library: Library;
  navigation: Navigation;
}

const field = <T>(declared: Field<Holder, SessionFile, T>) => declared;

/** A field of the replay settings, which are preferences; quick changes of a `dragged` one are one step of undo. */
function setting<K extends 'channel' | 'workload' | 'seed' | 'replicates'>(key: K, undo: string, dragged: boolean) {
  return field<SessionReplay[K]>({
    undo,
    ...(dragged && { stroke: () => '' }),
    get: ({ workspace }) => workspace.prefs.get(key) as SessionReplay[K],
    set: ({ workspace }, value) => workspace.prefs.set(key, value as Stored[K]),
    saved: { write: ({ replay }, value) => (replay[key] = value), read: ({ replay }) => replay[key] },
  });
}

/** Names of the members that differ, sorted, with commas between. */
function differing(a: object, b: object): string {
  const [before, after] = [a, b] as [Record<string, unknown>, Record<string, unknown>];
  const names = Object.keys({ ...before, ...after }).sort();
  return names.filter((name) => before[name] !== after[name]).join();
}

/** Whether a choice names an algorithm that the program has. */
const known = ({ workspace }: Holder, choice: AlgorithmChoice | null) =>
  choice !== null && workspace.algorithms.spec(choice.id) !== undefined;

/** The fields, in the order in which they are set. */
export const WINDOW_FIELDS = {
  /** Numbers of the captures in the order of the library. A session file has its captures in this order. */
  order: field<readonly number[]>({
    undo: 'the order of the library',
    same: sameOrder,
    get: ({ library }) => library.captures.map(({ id }) => id),
    set: ({ library }, ids) => library.groups.arrange(ids),
  }),
  algorithms: field<readonly AlgorithmChoice[]>({
    undo: 'the algorithms shown',
    get: ({ workspace }) => workspace.algorithms.chosen,
    set: ({ workspace }, choices) => workspace.algorithms.show(choices),
    saved: {
      write: (file, choices) => (file.algorithms = [...choices]),
      read: ({ algorithms }, of) => algorithms.filter((choice) => known(of, choice)),
    },
  }),
  /**
   * Key of the algorithm that differences are taken to, null for the recorded behaviour; a session file has the
   * algorithm itself.
   */
  baseline: field<string | null>({
    undo: 'the baseline',
    get: ({ workspace }) => workspace.baseline,
    set: ({ workspace }, key) => workspace.compareWith(key),
    saved: {
      write: (file, key) => (file.baseline = file.algorithms.find((choice) => choiceKey(choice) === key) ?? null),
      read: ({ baseline }) => baseline && choiceKey(baseline),
    },
  }),
  channel: setting('channel', 'the channel', false),
  workload: setting('workload', 'the workload', false),
  seed: setting('seed', 'the seed', true),
  replicates: setting('replicates', 'the replicates', true),
  rules: field<PolicyView>({
    undo: 'the rule',
    stroke: differing,
    get: ({ workspace }) => workspace.rules.given,
    set: ({ workspace }, given) => workspace.rules.restore(given),
    saved: {
      write: (file, _, { workspace }) => Object.assign(file.replay, workspace.rules.policy),
      read: ({ replay }) => replay.policy ?? {},
    },
  }),
  metrics: field<readonly string[] | null>({
    undo: 'the measures',
    get: ({ workspace }) => workspace.prefs.get('metrics'),
    set: ({ workspace }, metrics) => workspace.prefs.set('metrics', metrics && [...metrics]),
    saved: { write: (file, metrics) => (file.metrics = metrics && [...metrics]), read: ({ metrics }) => metrics },
  }),
  packetColumns: field<Stored['packetColumns']>({
    undo: 'the columns of packets',
    // A column that is dragged wider is one step.
    stroke: (_, to) => (to ?? []).map(({ name }) => name).join(' '),
    report: false,
    get: ({ workspace }) => workspace.prefs.get('packetColumns'),
    set: ({ workspace }, columns) => workspace.prefs.set('packetColumns', columns),
    saved: {
      write: (file, columns) => {
        if (columns) file.packet_columns = [...columns];
      },
      read: ({ packet_columns }) => packet_columns ?? null,
    },
  }),
  colourRules: field<Stored['colourRules']>({
    undo: 'the colour rules',
    stroke: () => '',
    report: false,
    get: ({ workspace }) => workspace.prefs.get('colourRules'),
    set: ({ workspace }, rules) => workspace.prefs.set('colourRules', rules),
    saved: {
      write: (file, rules) => {
        if (rules) file.colour_rules = [...rules];
      },
      read: ({ colour_rules }) => colour_rules ?? null,
    },
  }),
  // Another algorithm takes the settings kept and the sweep of the one before with it: they come behind it.
  whatIf: field<AlgorithmChoice>({
    undo: 'the parameter change',
    stroke: (from, to) => `${to.id} ${differing(from.params, to.params)}`,
    get: ({ workspace }) => workspace.whatIf.now,
    set: ({ workspace }, { id, params }) => workspace.whatIf.choose(id, params),
    saved: {
      write: (file, choice) => (file.what_if = choice.id === '' ? null : choice),
      read: ({ what_if }, of) => (known(of, what_if) ? (what_if ?? undefined) : undefined),
    },
  }),
  kept: field<readonly AlgorithmChoice[]>({
    undo: 'the settings kept',
    get: ({ workspace }) => workspace.whatIf.snapshots.map(({ choice }) => choice),
    set: ({ workspace }, choices) => workspace.whatIf.restore(choices),
    saved: {
      write: (file, choices) => (file.kept = [...choices]),
      read: ({ what_if, kept }, of) => (known(of, what_if) ? kept : undefined),
    },
  }),
  sweep: field<SessionSweep>({
    undo: 'the sweep',
    report: false,
    get: ({ workspace }) => workspace.whatIf.sweeping,
    set: ({ workspace }, sweep) => workspace.whatIf.resweep(sweep),
    saved: { write: (file, sweep) => (file.sweep = sweep), read: ({ sweep }) => sweep },
  }),
  /** Predictions that were kept. */
  predictions: field<readonly KeptPrediction[]>({
    undo: 'the predictions kept',
    get: ({ workspace }) => workspace.predictions.kept,
    set: ({ workspace }, kept) => workspace.predictions.restore(kept),
    saved: { write: (file, kept) => (file.predictions = [...kept]), read: ({ predictions }) => predictions },
  }),
  /** Keys of the rows that stay at the top of Compare. */
  pinned: field<readonly string[]>({
    undo: 'the rows pinned',
    get: ({ workspace }) => workspace.prefs.get('pinned'),
    set: ({ workspace }, keys) => workspace.prefs.set('pinned', [...keys]),
  }),
  recipe: field<string | null>({
    undo: 'the figure',
    report: false,
    get: ({ workspace }) => workspace.prefs.get('recipe'),
    set: ({ workspace }, recipe) => workspace.prefs.set('recipe', recipe),
    saved: { write: ({ figures }, recipe) => (figures.recipe = recipe), read: ({ figures }) => figures.recipe },
  }),
  /** Switches of figures that are not at their defaults, by recipe. */
  switches: field<Stored['figures']>({
    undo: 'the figure’s switches',
    stroke: () => '',
    report: false,
    get: ({ workspace }) => workspace.prefs.get('figures'),
    set: ({ workspace }, switches) => workspace.prefs.set('figures', switches),
    saved: {
      write: ({ figures }, switches) =>
        (figures.switches = Object.entries(switches).map(([recipe, params]) => ({ recipe, params }))),
      read: ({ figures }) => Object.fromEntries(figures.switches.map(({ recipe, params }) => [recipe, params])),
    },
  }),
  /** Numbers of the captures left out of figures, by recipe; a session file has their indices. */
  leftOut: field<LeftOut>({
    undo: 'the captures of figures',
    report: false,
    get: ({ workspace }) => workspace.figures.leftOut,
    set: ({ workspace }, leftOut) => workspace.figures.leaveOut(leftOut),
    saved: {
      write: ({ figures }, leftOut, { library }) => {
        const places = (ids: readonly number[]) =>
          library.captures.flatMap(({ id }, place) => (ids.includes(id) ? [place] : []));
        const own = Object.entries(leftOut).filter(([recipe]) => recipe !== '');
        figures.without = places(leftOut[''] ?? []);
        figures.without_by_recipe = own.map(([recipe, ids]) => ({ recipe, captures: places(ids) }));
      },
      read: ({ figures }, _, opened) => {
        const ids = (places: readonly number[]) => places.flatMap((place) => opened[place] ?? []);
        const own = (figures.without_by_recipe ?? []).map(({ recipe, captures }) => [recipe, ids(captures)] as const);
        return Object.fromEntries(figures.without.length > 0 ? [['', ids(figures.without)], ...own] : own);
      },
    },
  }),
  /** The reader's tags of captures, by SHA-256; a session file has the tags with each capture. */
  tags: field<Stored['tags']>({
    undo: 'the tags',
    get: ({ workspace }) => workspace.prefs.get('tags'),
    set: ({ workspace }, tags) => workspace.prefs.set('tags', tags),
  }),
  /** Title and notes are drawn from what is typed. */
  reportText: field<{ title: string; notes: string }>({
    report: false,
    get: ({ workspace: { report } }) => ({ title: report.title, notes: report.notes }),
    set: ({ workspace }, text) => workspace.describeReport({ ...workspace.report, ...text }),
    saved: {
      write: ({ report }, text) => Object.assign(report, text),
      read: ({ report: { title, notes } }) => ({ title, notes }),
    },
  }),
  reportContent: field<Pick<SessionFile['report'], 'sections' | 'figures'>>({
    get: ({ workspace: { report } }) => ({ sections: report.sections, figures: report.figures }),
    set: ({ workspace }, content) => workspace.describeReport({ ...workspace.report, ...content }),
    saved: {
      write: ({ report }, content) => Object.assign(report, content),
      read: ({ report: { sections, figures } }) => ({ sections, figures }),
    },
  }),
  view: field<ViewId>({
    report: false,
    get: ({ navigation }) => navigation.view,
    set: ({ navigation }, view) => navigation.show(view),
    saved: { write: (file, view) => (file.view = view), read: ({ view }) => viewNamed(view) },
  }),
} satisfies Fields<Holder, SessionFile>;
