import { decode, type ColumnMap } from './arrow';
import { Failure, type Backend, type CallOptions, type CommandName, type Reply, type Request } from './backend';
import { canonical } from './canonical';
import { nearest } from './fixture';
import { ARROW } from './gen/commands';
import type { ReportReply } from './gen/types';

/** Answers that travel with a report: of those to the same command, the equal request's, else the nearest's. */
export function recorded(replies: readonly ReportReply[]): Backend {
  const find = (name: string, asked: unknown): ReportReply => {
    const candidates = replies.filter((reply) => reply.name === name);
    const key = canonical(asked);
    const exact = candidates.find(({ request }) => canonical(request) === key);
    const found = exact ?? nearest(name, asked, candidates);
    if (!found) throw new Failure('not_found', `The report does not have ${name} ${key}.`);
    return found;
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

/** From base64. */
export function octets(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
