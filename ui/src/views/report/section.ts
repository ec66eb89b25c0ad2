import type { ReportView } from '../../ipc/gen/types';
import type { Capture } from '../../state/capture/capture.svelte';

/** Props of every section of a report: its capture, and its data. */
export interface SectionProps {
  /** Capture as the views use it. */
  capture: Capture;
  /** Report with its session, replies and tables. */
  view: ReportView;
}
