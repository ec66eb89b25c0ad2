// The document as a session file, and back. Its fields are declared in `fields.ts` and `capture/fields.ts`.
import type { DecodeAs, FoundCapture, OpenRequest, SessionCapture, SessionFile } from '../../ipc/gen/types';
import type { Capture } from '../capture/capture.svelte';
import { CAPTURE_FIELDS } from '../capture/fields';
import { readFrom, writeTo } from '../fields/field';
import { WINDOW_FIELDS, type Holder } from './fields';

/** Ending of the names of session files. */
export const SESSION_ENDING = '.rtoscope.json';

export const isSession = (path: string): boolean => /\.rtoscope\.json$/i.test(path);

/** A session file of nothing; the core fills in program, names, files and how they were read. */
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

/** The document of a window. */
export function fileOf(holder: Holder): SessionFile {
  return write(holder, () => true);
}

/** The part of the document that a report is drawn from: equal text, equal report. */
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

/** The request that opens a capture of a session file; null where it was not found. `keys` are those of the reader. */
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

/** Sets the fields of one capture. Its tags are set by {@link Tags.adopt}, which waits for the core's proposals. */
export function readCapture(capture: Capture, saved: SessionCapture): void {
  readFrom(CAPTURE_FIELDS, capture, saved);
}

/**
 * Sets everything but captures; `opened` are the captures of the file, where they are open. Returns the algorithms that
 * this program does not have: they are left out.
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
