// `npm run study [-- --check]`: computes the numbers and figures of traces/STUDY.md from the bundled captures.
// `--check` only compares. Needs Rust only.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { ROOT, binary } from '../env.mjs';
import { build } from '../rtoscope.mjs';
import { Stop } from '../run.mjs';
import { block } from './block.mjs';

const TRACES = join(ROOT, 'traces');
const TEXT = join(TRACES, 'STUDY.md');
const FIGURES = join(TRACES, 'study');
/** Names of timers by the names of runs. */
const TIMER = {
  NULL: 'default CoAP',
  default: 'default CoAP',
  COCOA: 'CoCoA',
  cocoa: 'CoCoA',
  rc: 'exact RTT (option)',
};

export default async function (args) {
  const built = await build('rtoscope');
  if (built !== 0) return built;
  const rows = calibrated();
  const made = new Map();
  let text = readFileSync(TEXT, 'utf8');
  for (const [name, part] of Object.entries(PARTS)) {
    const { markdown, figure } = part(rows);
    text = block(text, name, `\n${markdown}\n![${figure.title}](study/${name}.svg)\n\n`, 'traces/STUDY.md');
    made.set(join(FIGURES, `${name}.svg`), bars(figure));
  }
  made.set(TEXT, text);
  const stale = [...made].filter(([path, content]) => !existsSync(path) || readFileSync(path, 'utf8') !== content);
  if (args.includes('--check')) {
    if (stale.length > 0) throw new Stop('traces/STUDY.md is stale: `npm run study` renews it');
    console.log('The case study agrees with the bundled captures.');
    return 0;
  }
  mkdirSync(FIGURES, { recursive: true });
  for (const [path, content] of stale) writeFileSync(path, content);
  console.log(`${stale.length} files written.`);
  return 0;
}

/**
 * Rows of `rtoscope calibrate` over the bundled runs: measured values, and predictions from other runs of the world.
 * Throws Stop where they cannot be scored.
 */
function calibrated() {
  const asked = ['calibrate', TRACES, '--json', '--channel', 'auto'];
  const { status, stdout } = spawnSync(binary('rtoscope'), asked, {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    stdio: ['ignore', 'pipe', 2],
  });
  if (status !== 0) throw new Stop('The bundled runs could not be scored.');
  return JSON.parse(stdout);
}

/**
 * Runs of a scenario by name: functions that give a measured value, and the predictions from the other runs, of a
 * measure.
 */
function world(rows, scenario, names) {
  return names.map((name) => {
    const of = (metric) => rows.filter((r) => r.scenario === scenario && r.to === name && r.metric === metric);
    const real = (metric) => of(metric)[0].real;
    const from = (metric) => of(metric).filter((r) => names.includes(r.from));
    return { name, real, from };
  });
}

const percent = (share) => `${(100 * share).toFixed(1)} %`;
const seconds = (value) => `${value.toFixed(value < 1 ? 3 : 2)} s`;
const times = (value) => value.toFixed(2);

/** Builds a table of measured and predicted values, and the figure of one measure. */
function part(rows, worlds, measures, drawn) {
  const lines = ['| world | timer | ' + measures.map(([, title]) => title).join(' | ') + ' |'];
  lines.push('| --- | --- |' + ' ---: |'.repeat(measures.length));
  const groups = [];
  for (const [scenario, names] of worlds) {
    const runs = world(rows, scenario, names);
    const bars = [];
    for (const { name, real, from } of runs) {
      lines.push(
        `| ${scenario} | ${TIMER[name]} | ${measures.map(([m, , show]) => `**${show(real(m))}**`).join(' | ')} |`,
      );
      const kind = drawn.metric;
      bars.push({
        label: TIMER[name],
        real: real(kind),
        predictions: from(kind).map((r) => [r.predicted, r.lo90, r.hi90]),
      });
      for (const origin of new Set(from(kind).map((r) => r.from))) {
        const cell = ([m, , show]) => {
          const row = from(m).find((r) => r.from === origin);
          return `${show(row.predicted)} (${show(row.lo90)} to ${show(row.hi90)})`;
        };
        lines.push(`| | – predicted from ${TIMER[origin]} | ${measures.map(cell).join(' | ')} |`);
      }
    }
    groups.push({ name: scenario, bars });
  }
  return { markdown: lines.join('\n') + '\n', figure: { ...drawn, groups } };
}

const PARTS = {
  needless: (rows) =>
    part(
      rows,
      [
        ['short', ['NULL', 'COCOA']],
        ['ge', ['NULL', 'COCOA']],
        ['sleepy', ['NULL', 'COCOA']],
        ['grid3x3-burst', ['default', 'cocoa']],
      ],
      [
        ['spurious_all', 'needless copies', percent],
        ['retries_mean', 'retransmissions per exchange', times],
        ['duration_mean', 'completion, mean', seconds],
      ],
      { metric: 'spurious_all', title: 'Needless copies, share of all copies', show: percent },
    ),
  exact: (rows) =>
    part(
      rows,
      [
        ['chain6-periodic', ['default', 'rc']],
        ['grid3x3-burst', ['cocoa', 'rc']],
        ['tsch-slow-chain5', ['default', 'cocoa', 'rc']],
      ],
      [
        ['duration_mean', 'completion, mean', seconds],
        ['duration_p95', 'completion, 95 %', seconds],
        ['retries_mean', 'retransmissions per exchange', times],
        ['spurious_all', 'needless copies', percent],
      ],
      { metric: 'duration_mean', title: 'Completion, mean', show: seconds },
    ),
};

/** Draws bars of measured values and whiskers of predictions as SVG on a white ground, for light and dark pages. */
function bars({ title, groups, show }) {
  const [width, left, row, gap] = [720, 220, 22, 30];
  const out = [];
  let y = 34;
  for (const { name, bars: all } of groups) {
    const most = Math.max(...all.flatMap((b) => [b.real, ...b.predictions.map((s) => s[2])]));
    const x = (value) => left + ((width - left - 20) * value) / most;
    out.push(`<text x="8" y="${y + 4}" font-weight="600">${name}</text>`);
    y += 12;
    for (const { label, real, predictions } of all) {
      const middle = y + row / 2;
      out.push(`<text x="${left - 8}" y="${middle + 4}" text-anchor="end">${label}, ${show(real)}</text>`);
      out.push(
        `<rect x="${left}" y="${y + 4}" width="${Math.max(1, x(real) - left).toFixed(1)}" height="${row - 8}" fill="#4477aa"/>`,
      );
      predictions.forEach(([mean, low, high], at) => {
        const line = (middle - 3 + 6 * (at / Math.max(1, predictions.length - 1) || 0)).toFixed(1);
        out.push(
          `<path d="M${x(low).toFixed(1)} ${line}H${x(high).toFixed(1)}" stroke="#cc6633" stroke-width="2"/>`,
          `<circle cx="${x(mean).toFixed(1)}" cy="${line}" r="3" fill="#cc6633"/>`,
        );
      });
      y += row;
    }
    y += gap - 12;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" width="${width}" height="${y}" font-family="Inter, sans-serif" font-size="12" role="img" aria-label="${title}">
<rect width="${width}" height="${y}" fill="#ffffff"/>
<g fill="#222222">
<text x="8" y="18">${title}: bars really; dots and lines predicted from the other runs, with 90 % intervals; each world to its own scale</text>
${out.join('\n')}
</g>
</svg>
`;
}
