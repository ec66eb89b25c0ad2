import type { ReportView } from '../../ipc/gen/types';
import type { Capture } from '../../state/capture/capture.svelte';

/** Props of every section of a report: its capture, and its data. */
export interface SectionProps {
  capture: Capture;
  view: ReportView;
}
