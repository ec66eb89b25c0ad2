import type { ReportView } from '../../ipc/gen/types';
import type { Capture } from '../../state/capture/capture.svelte';

/** Properties of every section of a report. */
export interface SectionProps {
  capture: Capture;
  view: ReportView;
}
