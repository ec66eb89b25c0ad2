import { canonical } from '../../ipc/canonical';
import type { Backend } from '../../ipc/backend';
import type {
  AlgorithmChoice,
  Applied,
  AppliedFile,
  ApplyRequest,
  CoapStackView,
  CProgram,
  PolicyView,
  StacksRequest,
} from '../../ipc/gen/types';
import { Reply } from '../replies/reply.svelte';
import type { Prefs } from '../window/prefs.svelte';

/** The forms, in the order in which they are offered. */
export const FORMS = ['lines', 'program'] as const;
/** Form in which a stack gets a timer: lines of its configuration, or a C program. */
export type Form = (typeof FORMS)[number];

/** Rules of the sender that belong to the configuration of a CoAP stack. */
export type SenderRules = Pick<PolicyView, 'max_retransmit' | 'nstart'>;

/** The timer that is to be written for a device: the CoAP stacks that can run it, and the output for the chosen one. */
export class AppliedTimer {
  /** CoAP stacks, each with the reason where it refuses a form. */
  readonly stacks = new Reply<readonly CoapStackView[]>();
  /** Configuration lines for the chosen stack. */
  readonly lines = new Reply<Applied>();
  /** C program for the chosen stack. */
  readonly program = new Reply<CProgram>();
  #backend: Backend;
  #prefs: Prefs;
  #choice = $state.raw<AlgorithmChoice | null>(null);
  #rules = $state.raw<SenderRules>({});
  #form = $state<Form | null>(null);

  constructor(backend: Backend, prefs: Prefs) {
    this.#backend = backend;
    this.#prefs = prefs;
  }

  /** The timer; null while the dialog is closed. */
  get choice(): AlgorithmChoice | null {
    return this.#choice;
  }
  get open(): boolean {
    return this.#choice !== null;
  }
  /** The chosen stack: the one chosen last, else the first that takes the timer; undefined until stacks are known. */
  get stack(): CoapStackView | undefined {
    const all = this.stacks.value ?? [];
    return (
      all.find(({ id }) => id === this.#prefs.get('stack')) ?? all.find(takesLines) ?? all.find(takesProgram) ?? all[0]
    );
  }
  /** The form that is shown: the chosen one, else lines, unless no stack has any for this timer. */
  get form(): Form {
    const { stack } = this;
    const hasLines = this.stacks.value?.some(takesLines) ?? true;
    return this.#form ?? (!hasLines && stack && takesProgram(stack) ? 'program' : 'lines');
  }
  /** Chooses the form that is shown. */
  show(form: Form): void {
    this.#form = form;
  }

  /** Opens the dialog for a timer, under the rules of the sender. */
  use(choice: AlgorithmChoice, rules: SenderRules = {}): void {
    for (const reply of [this.stacks, this.lines, this.program]) reply.clear();
    [this.#choice, this.#rules, this.#form] = [choice, rules, null];
    const request: StacksRequest = this.#timer(choice);
    void this.stacks.ask(canonical(request), () => this.#backend.call('coap_stacks', request));
  }

  close(): void {
    this.#choice = null;
  }

  /** Chooses a stack, for later timers too. */
  choose(id: string): void {
    if (id === this.#prefs.get('stack')) return;
    this.#prefs.set('stack', id);
    this.#form = null;
  }

  /** Asks for the output for the chosen stack in the form that is shown, where it takes it. For effects. */
  want(): void {
    const request = this.#request();
    if (!request || !this.stack) return;
    const key = canonical(request);
    if (this.form === 'lines' && takesLines(this.stack))
      void this.lines.ask(key, () => this.#backend.call('apply', request));
    if (this.form === 'program' && takesProgram(this.stack))
      void this.program.ask(key, () => this.#backend.call('c_program', request));
  }

  /** Asks for a place and writes a file there; false when dismissed. Rejects where it cannot be written. */
  async save(file: AppliedFile, name: string): Promise<boolean> {
    const timer = this.#request();
    if (!timer) return false;
    const path = await this.#backend.save(name);
    if (path === null) return false;
    await this.#backend.call('export_applied', { timer, file, path });
    return true;
  }

  #request(): ApplyRequest | undefined {
    const { choice, stack } = this;
    return choice && stack ? { ...this.#timer(choice), stack: stack.id } : undefined;
  }

  #timer(algorithm: AlgorithmChoice): StacksRequest {
    const { max_retransmit = null, nstart = null } = this.#rules;
    return { algorithm, max_retransmit, nstart };
  }
}

/** Whether a stack can be set to the timer by lines of its configuration. */
export function takesLines({ lines_refused }: CoapStackView): boolean {
  return lines_refused === null;
}
/** Whether a stack can run the timer as a C program. */
export function takesProgram({ program_refused }: CoapStackView): boolean {
  return program_refused === null;
}
