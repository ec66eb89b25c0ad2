// Drawings of components on fixed numbers, compared with the SVG kept beside and reviewed. Marks that layers draw have
// theirs in plot/marks and plot/figure.
import { render } from '@testing-library/svelte';
import type { Component } from 'svelte';
import { describe, expect, it } from 'vitest';
import Within from '../../test/unit/Within.svelte';
import type { MetricSpec, MetricView, ParamSpec, SweepPoint } from '../ipc/gen/types';
import FlagMarks from '../plot/frame/FlagMarks.svelte';
import PlayheadFlag from '../plot/frame/PlayheadFlag.svelte';
import TimeAxis from '../plot/frame/TimeAxis.svelte';
import { timeScale, valueScale } from '../plot/scale';
import type { Style } from '../plot/series';
import { FATE, PACKET } from '../state/replies/kinds';
import Gaps from './algorithms/Gaps.svelte';
import StateDiagram from './algorithms/StateDiagram.svelte';
import Estimate from './compare/Estimate.svelte';
import Support from './compare/Support.svelte';
import Specimen from './empty/Specimen.svelte';
import Copies from './exchanges/Copies.svelte';
import FrameGlyph from './packets/FrameGlyph.svelte';
import HeatMap from './whatif/HeatMap.svelte';
import Plane from './whatif/Plane.svelte';
import Response from './whatif/Response.svelte';

const S = 1e9;

/** The drawings of `of`, one element a line, without the names that styles are bound by. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any component, with its own props
function drawn<P extends Record<string, unknown>>(of: Component<any>, ...all: P[]): string {
  const text = all.map((props) => {
    const { container, unmount } = render(Within, { props: { of, props } });
    const svgs = [...container.querySelectorAll('svg')].map((svg) => svg.outerHTML);
    // Parts of a picture, which stand in an SVG of their parent.
    const made = svgs.length > 0 ? svgs.join('\n') : container.innerHTML;
    unmount();
    return made;
  });
  const plain = text
    .join('\n')
    .replace(/<!--.*?-->/g, '')
    .replace(/ ?svelte-\w+/g, '')
    .replace(/ class=""/g, '')
    .replace(/\d+\.\d{3,}/g, (number) => String(Number(Number(number).toFixed(2))))
    .replace(/\bc\d+-head/g, 'head');
  return `${plain.replace(/></g, '>\n<')}\n`;
}

const style: Style = { colour: 's1', dash: [7, 3], marker: 'circle', hollow: false };
const hollow: Style = { colour: 's2', dash: [2.5, 2], marker: 'triangle', hollow: true };

describe('Compare', () => {
  const x = valueScale([0, 10], [4, 150], false);
  const one = { x, width: 154, height: 26, style, ticks: [0, 5, 10], rule: 6, mean: 4, interval: [3, 5] };
  const mode = (mean: number) => ({ mean, lo90: mean - 1, hi90: mean + 0.5, another: null });
  it('an estimate: mean, both intervals, bounds that end or leave the scale, the recorded rule, low support, two modes', async () => {
    const all = [
      { ...one, another: [1, 8], bounds: [2, 7] },
      { ...one, style: hollow, bounds: [-5, 30], hatched: true },
      { ...one, style: hollow, grey: true, rule: null },
      { ...one, style: null, mean: null, interval: null },
      { ...one, height: 45, mean: null, modes: [mode(2), mode(8)] },
    ];
    await expect(drawn(Estimate, ...all)).toMatchFileSnapshot('golden/estimate.svg.txt');
  });
  it('support: what was recorded is filled, the rest hatched', async () => {
    await expect(drawn(Support, { value: 0.4 }, { value: 1 })).toMatchFileSnapshot('golden/support.svg.txt');
  });
});

const param: ParamSpec = {
  name: 'ack_timeout',
  label: 'Initial timeout',
  group: '',
  doc: '',
  unit: 'seconds',
  default: 2,
  min: 0.1,
  max: 60,
  scale: 'log',
  choices: [],
  citation: 'RFC 7252 §4.8',
  reading: false,
};
const across: ParamSpec = { ...param, name: 'backoff', label: 'Back-off', unit: 'factor', scale: 'linear' };
const metric: MetricSpec = {
  name: 'duration_mean',
  label: 'Completion',
  rule: 'mean',
  unit: 's',
  smaller_is_better: true,
  headline: true,
} as MetricSpec;
const measured = (mean: number | null, support = 0.9): MetricView => ({
  ...{ recorded: null, worst: null, best: null, another: null, support, mean },
  ...{ lo90: mean === null ? null : mean * 0.8, hi90: mean === null ? null : mean * 1.25 },
});
const point = (value: number, at: number | null, mean: number | null, support?: number): SweepPoint => ({
  value,
  across: at,
  metrics: { duration_mean: measured(mean, support) },
});
const onpick = () => undefined;

describe('What-if', () => {
  it('the plane: curves, settings, the front and what it leaves behind, A and B', async () => {
    const points = [
      { w: 1.2, b: 0.5, value: 0.5 },
      { w: 2, b: 0.2, value: 1 },
      { w: 4, b: 0.05, value: 2 },
      { w: 9, b: 0.01, value: 4 },
    ];
    const curves = [
      { key: 'a', name: 'CoAP default', param, style, points, subject: true },
      ...[
        {
          key: 'b',
          name: 'CoCoA+',
          param: across,
          style: hollow,
          points: [{ w: 3, b: 0.3, value: 1.5 }],
          subject: false,
        },
      ],
    ];
    const letters = [
      { letter: 'A', w: 4, b: 0.05, value: 2 },
      { letter: 'Now', w: 2.2, b: 0.12, value: 1 },
    ];
    const axes = { w: 'W, timeout per round trip', b: 'B, bad timeouts' };
    await expect(drawn(Plane, { curves, letters, axes, width: 420, height: 300, onpick })).toMatchFileSnapshot(
      'golden/plane.svg.txt',
    );
  });
  it('the curve: mean, band, the setting', async () => {
    const sweep = [point(1, null, 9), point(2, null, 4), point(4, null, 5), point(8, null, null)];
    await expect(
      drawn(Response, { sweep, metric, param, style, now: 2, width: 420, height: 260, onpick }),
    ).toMatchFileSnapshot('golden/response.svg.txt');
  });
  it('the map: lightness, hatch of low support, the best, the setting, no value', async () => {
    const sweep = [
      ...[point(1, 1.5, 9), point(2, 1.5, 4), point(4, 1.5, 5)],
      ...[point(1, 2, 8, 0.2), point(2, 2, 3), point(4, 2, null)],
    ];
    await expect(
      drawn(HeatMap, { sweep, metric, param, across, style, now: [2, 1.5], width: 480, height: 260, onpick }),
    ).toMatchFileSnapshot('golden/heat-map.svg.txt');
  });
});

describe('Algorithms', () => {
  it('gaps over timeouts: on the diagonal, and off it', async () => {
    const gaps = [
      { seen: 2.5 * S, shortest: 2 * S, longest: 3 * S },
      { seen: 12 * S, shortest: 4 * S, longest: 6 * S },
      { seen: 0.5 * S, shortest: 0.5 * S, longest: 0.5 * S },
    ];
    await expect(drawn(Gaps, { gaps })).toMatchFileSnapshot('golden/gaps.svg.txt');
  });
  it('a state machine', async () => {
    const diagram = ['FAST -> SLOW: a retransmission', 'SLOW -> FAST: none', 'SLOW -> SLOW: another'].join('\n');
    await expect(drawn(StateDiagram, { diagram, name: 'FASOR' })).toMatchFileSnapshot('golden/states.svg.txt');
  });
});

describe('lists', () => {
  it('copies of an exchange: by fate and need, and how many more there are', async () => {
    const fates = Object.values(FATE).join('');
    const all = [fates, '0', '0'.repeat(8), '1'.repeat(30)].map((of) => ({
      fates: of,
      flags: of.replace(/[^1]/g, '0'),
    }));
    const needless = { fates, flags: '1'.repeat(fates.length) };
    await expect(drawn(Copies, ...all, needless)).toMatchFileSnapshot('golden/copies.svg.txt');
  });
  it('packets: every kind, and every fate of a request', async () => {
    const kinds = Object.values(PACKET).map((kind) => ({ kind, fate: FATE.answered }));
    const fates = Object.values(FATE).map((fate) => ({ kind: PACKET.needless, fate }));
    await expect(drawn(FrameGlyph, ...kinds, ...fates)).toMatchFileSnapshot('golden/packets.svg.txt');
  });
});

it('the empty window shows two real lanes', async () => {
  await expect(drawn(Specimen, {})).toMatchFileSnapshot('golden/specimen.svg.txt');
});

describe('time', () => {
  const x = timeScale(0, 90 * S, 100, 500);
  it('an axis with a label left out for the playhead', async () => {
    await expect(drawn(TimeAxis, { x, y: 13, from: 20, to: 60, avoid: 300 })).toMatchFileSnapshot(
      'golden/axis.svg.txt',
    );
  });
  it('flags with notes as far as there is room, and the playhead inside the window', async () => {
    const flags = [
      { at: 10 * S, note: 'the first copy' },
      { at: 30 * S, note: 'a note that is longer than the room until the next' },
      { at: 40 * S, note: '' },
      { at: 99 * S, note: 'not in the window' },
    ];
    const poles = drawn(FlagMarks, { flags, x, pennants: 20, to: 60 });
    const heads = drawn(PlayheadFlag, { x: 300, label: '0:45.0', left: 100, right: 500 }, { x: 501, label: '1:30.0', left: 100, right: 500 }); // prettier-ignore
    await expect(poles + heads).toMatchFileSnapshot('golden/flags.svg.txt');
  });
});
