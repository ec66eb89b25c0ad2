// Rules besides timeouts: of the sender, of the server, and of the bottleneck of channel `queued`. They hold for every algorithm.
import { canonical } from '../ipc/canonical';
import type { ParamSpec, PolicyView, QueueView } from '../ipc/gen/types';
import { toNumber } from './algorithms.svelte';

type Value = number | string | boolean;
export type RuleName = keyof PolicyView;

/** A rule as a form shows it. */
export interface Rule extends ParamSpec {
  name: RuleName;
  /** What stands in its field while nothing is given, where that is no number. */
  blank?: string;
}

const NS = 1e9;
const SENDER = 'sender';
const SERVER = 'server';
const BOTTLENECK = 'bottleneck';

const rule = (of: Pick<Rule, 'name' | 'group' | 'label' | 'doc' | 'unit' | 'default'> & Partial<Rule>): Rule => ({
  ...{ min: null, max: null, scale: 'linear', choices: [], citation: '', reading: false },
  ...of,
});
const yesNo = (of: Pick<Rule, 'name' | 'group' | 'label' | 'doc' | 'citation'>) =>
  rule({ ...of, unit: 'choice', default: 'no', choices: ['no', 'yes'] });

const RULES: readonly Rule[] = [
  rule({
    ...{ name: 'nstart', group: SENDER, label: 'NSTART', unit: 'count', default: 1, min: 1, max: 255, scale: 'log' },
    blank: 'trace',
    doc: 'Most exchanges open at once towards one server. Without: as many as the trace shows.',
    citation: 'RFC 7252 §4.7',
  }),
  rule({
    ...{ name: 'max_retransmit', group: SENDER, label: 'MAX_RETRANSMIT', unit: 'count', default: 4, min: 0, max: 20 },
    doc: 'Retransmissions before a client gives up.',
    citation: 'RFC 7252 §4.8',
  }),
  rule({
    ...{ name: 'exchange_lifetime', group: SENDER, label: 'EXCHANGE_LIFETIME', unit: 'seconds', default: 247 },
    ...{ min: 0.001, max: 86_400, scale: 'log' },
    doc: 'An exchange is given up after this long, whatever its timers say.',
    citation: 'RFC 7252 §4.8.2',
  }),
  rule({
    ...{ name: 'queue', group: SENDER, label: 'Most that wait', unit: 'count', default: 8, min: 0 },
    blank: 'log',
    doc: 'Most requests that wait for a place (NSTART); more are dropped, with 0 whatever would wait. Without: as many as the mote log beside the capture tells of, or all.',
    citation: 'Ancillotti & Bruno 2017',
  }),
  rule({
    ...{ name: 'blind', group: SENDER, label: 'Blind timeouts', unit: 'choice', default: 'algorithm' },
    choices: ['algorithm', 'ignore', 'linear', 'power'],
    doc: 'First timeouts before the first sample, with other exchanges open: as the algorithm does, as with none open, times their number, or doubled for each.',
    citation: 'draft-ietf-core-cocoa-03 §4.1',
  }),
  rule({
    ...{ name: 'state_lifetime', group: SENDER, label: 'State is kept', unit: 'seconds', default: 255 },
    ...{ min: 0.001, max: 86_400, scale: 'log', blank: 'ever' },
    doc: 'How long what was learned about a server is kept when nothing is sent to it. Without: for ever.',
    citation: 'draft-ietf-core-cocoa-03 §4.3',
  }),
  rule({
    ...{ name: 'destinations', group: SENDER, label: 'Servers remembered', unit: 'count', default: 4 },
    ...{ min: 1, max: 65_535, scale: 'log', blank: 'all' },
    doc: 'How many servers a client keeps state of. Without: all.',
    citation: 'draft-ietf-core-cocoa-03 §4.3',
  }),
  yesNo({
    ...{ name: 'plimit', group: SENDER, label: 'PLIMIT', citation: 'draft-bormann-core-cocoa-03' },
    doc: 'Limits the exchanges that one client has open to all its servers together, as the early CoCoA drafts did.',
  }),
  rule({
    ...{ name: 'probing_rate', group: SENDER, label: 'PROBING_RATE', unit: 'count', default: 1, min: 1 },
    ...{ max: 1_000_000, scale: 'log' },
    blank: 'off',
    doc: 'Octets a second to a server that does not answer. Without: not limited.',
    citation: 'RFC 7252 §4.8',
  }),
  rule({
    ...{ name: 'processing', group: SERVER, label: 'Longer processing', unit: 'seconds', default: 0, min: 0, max: 60 },
    doc: 'How much longer the server works on a request than it did.',
    citation: 'RFC 7252 §4.8.2',
  }),
  yesNo({
    ...{ name: 'repeats', group: SERVER, label: 'Repeats', citation: 'RFC 7252 §4.5' },
    doc: 'The server takes a copy for a new request and works on it anew: no de-duplication.',
  }),
  rule({
    ...{ name: 'service', group: BOTTLENECK, label: 'Service time', unit: 'seconds', default: 0.1 },
    ...{ min: 0.000_1, max: 60, scale: 'log', blank: 'found' },
    doc: 'How long the bottleneck serves a message of mean airtime. Without: as the capture shows.',
  }),
  rule({
    ...{ name: 'room', group: BOTTLENECK, label: 'Room', unit: 'count', default: 16, min: 1, blank: 'found' },
    doc: 'For how many messages the bottleneck has room, the one that is served included. Without: as the capture shows, if it does.',
  }),
];

/** The rules of a form; those of the bottleneck stand at what was found of it. */
export function ruleForm(queued: boolean, found: QueueView | null | undefined): Rule[] {
  return RULES.filter(({ group }) => queued || group !== BOTTLENECK).map((rule): Rule => {
    if (rule.name === 'service' && found) {
      const { value, error } = found.service;
      const off = error === null ? '' : ` ± ${(1e3 * error).toFixed(1)}`;
      const said = Number(value.toPrecision(3));
      return {
        ...rule,
        default: said,
        blank: String(Number(value.toPrecision(2))),
        citation: `found: ${(1e3 * value).toFixed(1)}${off} ms`,
      };
    }
    if (rule.name === 'room' && found) {
      const { room } = found;
      return room === null
        ? { ...rule, blank: '∞', citation: 'no limit was seen' }
        : { ...rule, default: room, blank: String(room), citation: `found: ${room}` };
    }
    return rule;
  });
}

const isTime = (rule: Rule) => rule.unit === 'seconds';
const isSwitch = (rule: Rule) => rule.choices.includes('yes');

/** What is given, in the units of the form. */
export function ruleValues(given: PolicyView): Partial<Record<RuleName, Value>> {
  return Object.fromEntries(
    RULES.flatMap((rule): [string, Value][] => {
      const value = given[rule.name];
      if (value === undefined) return [];
      return [[rule.name, isTime(rule) ? Number(value) / NS : isSwitch(rule) ? 'yes' : value]];
    }),
  );
}

/** What is given, in words; empty where nothing is. */
export function ruleWords(given: PolicyView | undefined): string {
  const words = RULES.flatMap((rule) => {
    const value = given?.[rule.name];
    if (value === undefined) return [];
    return isSwitch(rule)
      ? [rule.label]
      : [`${rule.label} ${isTime(rule) ? `${String(Number(value) / NS)} s` : String(value)}`];
  });
  return words.join(', ');
}

/** The rules that are given; all others are as in RFC 7252, and as the capture shows. */
export class Rules {
  #given = $state.raw<PolicyView>({});

  get given(): PolicyView {
    return this.#given;
  }
  get many(): number {
    return Object.keys(this.#given).length;
  }
  /** As a request has it: not there while nothing is given. */
  get policy(): { policy?: PolicyView } {
    return this.many === 0 ? {} : { policy: this.#given };
  }

  /** Give one, in the units of its form. */
  set(name: RuleName, value: Value): void {
    const rule = RULES.find((one) => one.name === name);
    if (!rule) return;
    // Forms take fractions, as 1/8.
    const given = rule.unit === 'choice' ? value : toNumber(value);
    const none = !rule.blank && given === rule.default;
    const own = isTime(rule) ? Math.round(Number(given) * NS) : isSwitch(rule) ? given === 'yes' : given;
    if (none || own === false) this.reset(name);
    else this.restore({ ...this.#given, [name]: own });
  }

  reset(name?: RuleName): void {
    this.restore(
      name === undefined ? {} : Object.fromEntries(Object.entries(this.#given).filter(([other]) => other !== name)),
    );
  }

  /** As a session has them. */
  restore(given: PolicyView): void {
    if (canonical(given) !== canonical(this.#given)) this.#given = given;
  }
}
