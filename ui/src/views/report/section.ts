import type { ReportView } from '../../ipc/gen/types';
import type { Capture } from '../../state/capture/capture.svelte';

/** What every section of a report is given. */
export interface SectionProps {
  capture: Capture;
  view: ReportView;
}
