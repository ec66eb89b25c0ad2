// Conversion of the document to a session file, and back. Its fields are declared in `fields.ts` and
// `capture/fields.ts`.
import type { DecodeAs, FoundCapture, OpenRequest, SessionCapture, SessionFile } from '../../ipc/gen/types';
import type { Capture } from '../capture/capture.svelte';
import { CAPTURE_FIELDS } from '../capture/fields';
import { readFrom, writeTo } from '../fields/field';
import { WINDOW_FIELDS, type Holder } from './fields';

/** Ending of the names of session files. */
export const SESSION_ENDING = '.rtoscope.json';

/** Whether a path has the name of a session file. */
export const isSession = (path: string): boolean => /\.rtoscope\.json$/i.test(path);

/** An empty session file; the core fills in program, names, files and the options of reading. */
const emptyFile = (): SessionFile => ({
  format: 'rtoscope-session',
  version: 1,
  program: '',
  captures: [],
  current: 0,
  view: '',
  algorithms: [],
  baseline: null,
  replay: { channel: 'auto', workload: 'auto', seed: 1, replicates: 1 },
  metrics: null,
  what_if: null,
  kept: [],
  sweep: { picture: '', over: null, across: null, measure: null },
  predictions: [],
  figures: { recipe: null, switches: [], without: [] },
  report: { title: '', notes: '', sections: [], figures: [] },
});

const emptyCapture = (): SessionCapture => ({
  name: '',
  sample: null,
  files: [],
  decode: { fcs: 'auto', ports: [], rc_option: null, contexts: [], keys: 0, addresses: [], unpack_ratio: null },
  window: [0, 0],
  selection: null,
  playhead: 0,
  association: 0,
  tags: {},
  flags: [],
});

/** The document of a window as a session file. */
export function fileOf(holder: Holder): SessionFile {
  return write(holder, () => true);
}

/** The part of the document that a report shows: equal ones give equal reports. */
export function reportQuestion(holder: Holder): SessionFile {
  return write(holder, ({ report }) => report !== false);
}

function write(holder: Holder, which: (field: { report?: false }) => boolean): SessionFile {
  const { library } = holder;
  const file = emptyFile();
  file.captures = library.captures.map((capture) => {
    const saved = { ...emptyCapture(), sample: capture.sample, tags: { ...library.tags.of(capture.view) } };
    writeTo(CAPTURE_FIELDS, capture, saved, which);
    return saved;
  });
  file.current = Math.max(
    0,
    library.captures.findIndex((capture) => capture === library.current),
  );
  writeTo(WINDOW_FIELDS, holder, file, which);
  return file;
}

/**
 * The request that opens a capture of a session file; null where it was not found. `keys` are the reader's, used where
 * the capture was read with some.
 */
export function openingOf(saved: SessionCapture, found: FoundCapture, keys: readonly string[]): OpenRequest | null {
  const { fcs, ports, rc_option, contexts, addresses, unpack_ratio } = saved.decode;
  const decode: DecodeAs = {
    ...{ fcs, ports, rc_option, contexts, addresses, unpack_ratio },
    keys: saved.decode.keys > 0 ? [...keys] : [],
  };
  if (found.state === 'missing') return null;
  if (saved.sample !== null) return { path: null, sample: saved.sample, merge: null, decode };
  const paths = found.paths.flatMap((path) => path ?? []);
  const [only] = paths;
  if (only === undefined) return null;
  return paths.length === 1
    ? { path: only, sample: null, merge: null, decode }
    : { path: null, sample: null, merge: paths, decode };
}

/** Sets the fields of one capture. Its tags are set by {@link Tags.adopt}, which must wait for the core's proposals. */
export function readCapture(capture: Capture, saved: SessionCapture): void {
  readFrom(CAPTURE_FIELDS, capture, saved);
}

/**
 * Sets all fields but those of captures; `opened` are the open captures by their index in the file, null where one is
 * missing. Returns the IDs of algorithms that this program does not have; they are left out.
 */
export function readWindow(holder: Holder, file: SessionFile, opened: readonly (Capture | null)[]): string[] {
  readFrom(
    WINDOW_FIELDS,
    holder,
    file,
    opened.map((capture) => capture?.id),
  );
  return file.algorithms.filter(({ id }) => !holder.workspace.algorithms.spec(id)).map(({ id }) => id);
}
