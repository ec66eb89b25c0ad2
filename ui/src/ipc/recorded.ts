import { decode, type ColumnMap } from './arrow';
import { Failure, type Backend, type CallOptions, type CommandName, type Reply, type Request } from './backend';
import { canonical } from './canonical';
import { ARROW } from './gen/commands';
import type { ReportReply } from './gen/types';

/**
 * Fields of requests that say how widely and how finely to draw: a reply for another width of the page shows the same.
 */
const GEOMETRY: ReadonlySet<string> = new Set(['t0', 't1', 'px', 'bins']);

/**
 * Commands that a page sends at its start and whose replies no section of a report shows: sniffers, tags, the
 * navigator.
 */
const NOT_SHOWN: ReadonlySet<CommandName> = new Set([
  'live_devices',
  'live_state',
  'follow_state',
  'proposed_tags',
  'navigator',
]);

/**
 * A backend that answers from the replies in a report. The request must equal a recorded one in everything but
 * geometry, a recorded window must overlap the requested one, and the recorded lanes must include the requested ones.
 * Other requests fail with code `not_found`, and `lacks` is called with them.
 */
export function recorded(
  replies: readonly ReportReply[],
  lacks: (name: CommandName, request: unknown) => void,
): Backend {
  const find = (name: CommandName, asked: unknown): ReportReply => {
    const found = replyTo(name, asked, replies);
    if (found) return found;
    if (!NOT_SHOWN.has(name)) lacks(name, asked);
    throw new Failure('not_found', `The report does not have ${name} ${canonical(asked)}.`);
  };
  return {
    call<N extends CommandName>(name: N, request: Request<N>, options: CallOptions = {}): Promise<Reply<N>> {
      return Promise.resolve().then(() => {
        if (options.signal?.aborted) throw new Failure('cancelled', 'Cancelled');
        const { json, arrow } = find(name, request);
        const map = (ARROW as Record<string, ColumnMap>)[name];
        return (map && arrow !== null ? decode(octets(arrow), map) : json) as Reply<N>;
      });
    },
    openedWith: () => Promise.resolve([]),
    pick: () => Promise.resolve([]),
    save: () => Promise.resolve(null),
    wireshark: () => Promise.resolve({ started: false, command: '' }),
    watchDrops: () => () => undefined,
  };
}

/** The recorded reply to a request, an equal one before one that differs in geometry; undefined where there is none. */
export function replyTo(name: string, asked: unknown, replies: readonly ReportReply[]): ReportReply | undefined {
  const candidates = replies.filter((reply) => reply.name === name);
  const key = canonical(asked);
  const exact = candidates.find(({ request }) => canonical(request) === key);
  return (
    exact ??
    candidates.find(
      ({ request }) =>
        sameQuestion(request) === sameQuestion(asked) && overlap(request, asked) && hasLanes(request, asked),
    )
  );
}

/** Canonical text of a request without its geometry and its lanes. */
function sameQuestion(request: unknown): string {
  if (typeof request !== 'object' || request === null) return canonical(request);
  const asked = ([field]: [string, unknown]) => !GEOMETRY.has(field) && field !== 'lanes';
  return canonical(Object.fromEntries(Object.entries(request).filter(asked)));
}

/** Whether a reply to `recorded` has all the lanes of `asked`; a request without a list is for all lanes. */
function hasLanes(recorded: unknown, asked: unknown): boolean {
  const [has, wants] = [recorded, asked].map((request) => (request as { lanes?: number[] | null } | null)?.lanes);
  return !has || (wants?.every((lane) => has.includes(lane)) ?? false);
}

/** Whether two requests have windows with a moment in common, or one of them has no window. */
function overlap(recorded: unknown, asked: unknown): boolean {
  const [a, b] = [recorded, asked] as { t0?: number; t1?: number }[];
  if (a?.t0 === undefined || a.t1 === undefined || b?.t0 === undefined || b.t1 === undefined) return true;
  return a.t0 <= b.t1 && b.t0 <= a.t1;
}

/** Decodes base64 text into octets. */
export function octets(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
