// Rows of the comparison in a report.
import { seriesStyle } from '../../plot/series';
import type { Capture } from '../../state/capture/capture.svelte';
import type { Session } from '../../state/session.svelte';
import type { Row } from '../compare/columns';
import { truthsOf } from '../compare/truths';

/** Rows of the timers shown, in their order, with their runs and the real runs of the network. */
export const rowsOf = (app: Session, capture: Capture): Row[] =>
  app.algorithms.shown.map((item, at) => ({
    item,
    run: capture.runs.of(item.key),
    style: seriesStyle(item.order, item.variant),
    truths: truthsOf(capture.runs.measured.value, at, (id) => app.algorithms.spec(id)),
  }));
