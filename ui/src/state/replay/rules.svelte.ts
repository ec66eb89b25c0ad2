// Rules besides timeouts: those of the sender, of the server, and of the bottleneck of channel `queued`. They hold for
// all algorithms.
import { canonical } from '../../ipc/canonical';
import type { PolicyView, QueueView, RuleSpec } from '../../ipc/gen/types';
import { RULES as RULE_SPECS } from '../../ipc/gen/labels';
import { toNumber } from './algorithms.svelte';

type Value = number | string | boolean;
/** Name of a rule, as requests have it. */
export type RuleName = keyof PolicyView;

/** A rule with its label, unit, bounds and source, as a form shows it. */
export type Rule = RuleSpec & { name: RuleName };

const NS = 1e9;
const BOTTLENECK = 'bottleneck';

// Declared by the core, whose captions and tables use the same labels.
const RULES = RULE_SPECS as readonly Rule[];

/** The rules of a form; those of the bottleneck only where `queued`, with the fitted values (`found`) as defaults. */
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
const isSwitch = (rule: Rule) => rule.choices.some(({ name }) => name === 'yes');

/** Given rules by name, in the units of the form: seconds instead of ns, `yes` for switches. */
export function ruleValues(given: PolicyView): Partial<Record<RuleName, Value>> {
  return Object.fromEntries(
    RULES.flatMap((rule): [string, Value][] => {
      const value = given[rule.name];
      if (value === undefined) return [];
      return [[rule.name, isTime(rule) ? Number(value) / NS : isSwitch(rule) ? 'yes' : value]];
    }),
  );
}

/** Given rules as text, equal to that of the core (`PolicyView::said`); empty where none is given. */
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

/** The rules that the reader gives; all others are those of RFC 7252 or of the capture. */
export class Rules {
  #given = $state.raw<PolicyView>({});

  /** Given rules, times in ns. */
  get given(): PolicyView {
    return this.#given;
  }
  /** Number of given rules. */
  get many(): number {
    return Object.keys(this.#given).length;
  }
  /** The rules as a member of requests, absent while none is given. */
  get policy(): { policy?: PolicyView } {
    return this.many === 0 ? {} : { policy: this.#given };
  }

  /** Sets one rule, in the units of its form; its default removes it. */
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

  /** Removes one rule, or all. */
  reset(name?: RuleName): void {
    this.restore(
      name === undefined ? {} : Object.fromEntries(Object.entries(this.#given).filter(([other]) => other !== name)),
    );
  }

  /** Replaces all rules by `given`; a rule that is left out is at its default. */
  restore(given: PolicyView): void {
    if (canonical(given) !== canonical(this.#given)) this.#given = given;
  }
}
