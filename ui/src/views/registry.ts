// The component of each view that `state/window/views.ts` declares. A view that is missing here does not compile.
import type { Component } from 'svelte';
import type { Capture } from '../state/capture/capture.svelte';
import type { VIEWS, ViewId } from '../state/window/views';
import Algorithms from './Algorithms.svelte';
import Compare from './Compare.svelte';
import Exchanges from './Exchanges.svelte';
import Figures from './Figures.svelte';
import Ladder from './Ladder.svelte';
import Network from './Network.svelte';
import Packets from './Packets.svelte';
import Report from './Report.svelte';
import Rto from './Rto.svelte';
import Study from './Study.svelte';
import Timeline from './Timeline.svelte';
import WhatIf from './WhatIf.svelte';

/** Ids of the views that need no capture. */
type AloneId = Extract<(typeof VIEWS)[number], { needs: 'nothing' }>['id'];

const alone = { algorithms: Algorithms, study: Study } satisfies Record<AloneId, Component>;

const ofCapture = {
  timeline: Timeline,
  exchanges: Exchanges,
  rto: Rto,
  compare: Compare,
  whatif: WhatIf,
  packets: Packets,
  ladder: Ladder,
  network: Network,
  // Figures are drawn from all open captures, so that the component takes none.
  figures: Figures as Component<object>,
  report: Report,
} satisfies Record<Exclude<ViewId, AloneId>, Component<{ capture: Capture }>>;

/** Components of the views that need no capture, by id. */
export const ALONE: Readonly<Partial<Record<ViewId, Component>>> = alone;
/** Components of the views of one capture, by id. */
export const OF_CAPTURE: Readonly<Partial<Record<ViewId, Component<{ capture: Capture }>>>> = ofCapture;
