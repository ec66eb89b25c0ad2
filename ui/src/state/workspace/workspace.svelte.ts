import type { Backend } from '../../ipc/backend';
import type { AlgorithmChoice, SessionReport } from '../../ipc/gen/types';
import type { Capture } from '../capture/capture.svelte';
import { Algorithms } from '../replay/algorithms.svelte';
import { AppliedTimer } from '../replay/applied.svelte';
import { Catalogue } from '../replay/catalogue.svelte';
import { Rules } from '../replay/rules.svelte';
import type { ReplaySettings } from '../replay/runs.svelte';
import { Search } from '../replay/search.svelte';
import { WhatIf } from '../replay/whatif.svelte';
import type { Prefs } from '../window/prefs.svelte';
import { Figures } from './figures.svelte';
import { PacketLook } from './packetlook.svelte';
import { Predictions } from './predictions.svelte';
import { Studies } from './studies.svelte';

/** Algorithms, replay settings, figures and report text: the state that all captures share. */
export class Workspace {
  readonly prefs: Prefs;
  readonly algorithms: Algorithms;
  readonly catalogue: Catalogue;
  readonly rules = new Rules();
  readonly whatIf = new WhatIf();
  readonly search: Search;
  /** The timer that is to be written for a device. */
  readonly applied: AppliedTimer;
  readonly figures: Figures;
  readonly predictions: Predictions;
  readonly studies: Studies;
  readonly packetLook: PacketLook;
  #baseline = $state<string | null>(null);
  #report = $state.raw<SessionReport>({ title: '', notes: '', sections: [], figures: [] });

  constructor(backend: Backend, prefs: Prefs) {
    this.prefs = prefs;
    this.algorithms = new Algorithms(prefs);
    this.catalogue = new Catalogue(backend, ({ algorithms, loaded }) => this.algorithms.learn(algorithms, loaded));
    this.search = new Search(backend);
    this.applied = new AppliedTimer(backend, prefs);
    this.figures = new Figures(backend, prefs);
    this.predictions = new Predictions(backend, prefs);
    this.studies = new Studies(backend, prefs);
    this.packetLook = new PacketLook(backend, prefs);
  }

  /** Key of the algorithm that differences are taken to; null: the recorded behaviour. */
  get baseline(): string | null {
    return this.#baseline;
  }
  /** Chooses the algorithm, by its key, that differences are taken to; null: the recorded behaviour. */
  compareWith(baseline: string | null): void {
    this.#baseline = baseline;
  }

  /** Opens the dialog *Use this* for a timer, under the given rules. */
  use(choice: AlgorithmChoice): void {
    const { max_retransmit, nstart } = this.rules.given;
    this.applied.use(choice, {
      ...(max_retransmit !== undefined && { max_retransmit }),
      ...(nstart !== undefined && { nstart }),
    });
  }

  /** Replay settings that all captures share. */
  get settings(): ReplaySettings {
    return {
      channel: this.prefs.get('channel'),
      workload: this.prefs.get('workload'),
      seed: this.prefs.get('seed'),
      replicates: this.prefs.get('replicates'),
      ...this.rules.policy,
    };
  }
  /** Replay settings of `capture`, with the part of it that is replayed. */
  settingsFor(capture: Capture): ReplaySettings {
    return { ...this.settings, ...capture.part.asked };
  }

  /** Title, notes, sections and figures of the report. */
  get report(): SessionReport {
    return this.#report;
  }
  /** Replaces title, notes, sections and figures of the report. */
  describeReport(report: SessionReport): void {
    this.#report = report;
  }
}
