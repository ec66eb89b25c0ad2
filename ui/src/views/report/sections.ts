// The sections of a report: one entry here, one of the same id in
// src-tauri/crates/api/src/commands/written/report/sections.rs, which asks the core for what the section shows.
import type { Component } from 'svelte';
import CheckSection from './CheckSection.svelte';
import CompareSection from './CompareSection.svelte';
import FiguresSection from './FiguresSection.svelte';
import NotesSection from './NotesSection.svelte';
import ParametersSection from './ParametersSection.svelte';
import ReproduceSection from './ReproduceSection.svelte';
import RtoSection from './RtoSection.svelte';
import SensitivitySection from './SensitivitySection.svelte';
import type { SectionProps } from './section';
import SummarySection from './SummarySection.svelte';
import TimelineSection from './TimelineSection.svelte';
import TrustSection from './TrustSection.svelte';

/** Section of a report: id as in session files, heading and component. */
export interface Section {
  id: string;
  title: string;
  component: Component<SectionProps>;
}

/** All sections, in the order of a report. */
export const SECTIONS: readonly Section[] = [
  { id: 'summary', title: 'Capture', component: SummarySection },
  { id: 'notes', title: 'What was skipped, repaired or assumed', component: NotesSection },
  { id: 'timeline', title: 'Timeline', component: TimelineSection },
  { id: 'compare', title: 'Comparison', component: CompareSection },
  { id: 'check', title: 'Did the prediction hold?', component: CheckSection },
  { id: 'trust', title: 'What the network twin says of its own capture', component: TrustSection },
  { id: 'sensitivity', title: 'What the comparison depends on', component: SensitivitySection },
  { id: 'figures', title: 'Figures', component: FiguresSection },
  { id: 'rto', title: 'Timeouts', component: RtoSection },
  { id: 'parameters', title: 'Algorithms and parameters', component: ParametersSection },
  { id: 'reproduce', title: 'How to make this report again', component: ReproduceSection },
];

/** Sections with the ids `ids`, in the order of a report; all of them where `ids` is empty. */
export const chosen = (ids: readonly string[]): readonly Section[] =>
  SECTIONS.filter(({ id }) => ids.length === 0 || ids.includes(id));
