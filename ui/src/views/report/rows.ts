// Rows of a report's comparison: the timers that were shown, with their runs and what really ran.
import { seriesStyle } from '../../plot/series';
import type { Capture } from '../../state/capture/capture.svelte';
import type { Session } from '../../state/session.svelte';
import type { Row } from '../compare/columns';
import { truthsOf } from '../compare/truths';

export const rowsOf = (app: Session, capture: Capture): Row[] =>
  app.algorithms.shown.map((item, at) => ({
    item,
    run: capture.runs.of(item.key),
    style: seriesStyle(item.order, item.variant),
    truths: truthsOf(capture.runs.measured.value, at, (id) => app.algorithms.spec(id)),
  }));
