// The comparison as Markdown.

const cell = (value) => String(value ?? '–').replaceAll('|', '\\|');
const line = (cells) => `| ${cells.map(cell).join(' | ')} |`;
const seconds = (value) => (value === undefined ? '–' : value.toFixed(2));

/** Differences that no rule explains, those between a log and its twin among them. */
export const open = ({ aligned, twin }) =>
  [...aligned.differences, ...(twin?.aligned.differences ?? [])].filter(({ rule }) => !rule);

const HEAD = [
  ['capture', ':--'],
  ['format', ':--'],
  ['frames', '--:'],
  ['ours', '--:'],
  ['CoAP', '--:'],
  ['ours', '--:'],
  ['values', '--:'],
  ['equal', '--:'],
  ['differ', '--:'],
  ['open', '--:'],
  ['tshark s', '--:'],
  ['ours s', '--:'],
  ['ratio', '--:'],
];

function row(result) {
  const { ours, theirs, aligned } = result;
  return line([
    result.name,
    `${ours.format ?? 'not read'}${result.how.length > 0 ? ` (tshark: ${result.how.join(', ')})` : ''}`,
    result.frames,
    ours.frames,
    theirs.messages.length,
    ours.messages.length,
    aligned.compared,
    aligned.equal,
    aligned.differences.length,
    open(result).length,
    seconds(theirs.seconds),
    seconds(ours.seconds),
    theirs.seconds ? (theirs.seconds / ours.seconds).toFixed(0) : '–',
  ]);
}

function differences(result) {
  const lines = result.aligned.differences.map(({ frame, field, ours, theirs, rule }) =>
    line([frame, field, ours, theirs, rule ? `${rule.class} (${rule.id})` : '**open**']),
  );
  return [
    `### ${result.name}`,
    '',
    line(['frame', 'field', 'ours', 'tshark', 'explanation']),
    '| --: | :-- | :-- | :-- | :-- |',
    ...lines,
    '',
  ];
}

/** The page for all results; `unread` are files that hold no capture for either side. */
export function page({ results, unread, rules, versions }) {
  const sum = (pick) => results.reduce((total, result) => total + pick(result), 0);
  const all = results.flatMap((result) => result.aligned.differences);
  const merged = results.filter(({ theirs }) => theirs.merged);
  const twins = results.filter((result) => result.twin);
  const used = rules.filter((rule) => all.some((difference) => difference.rule === rule));
  return [
    '# Every capture, read by RTOscope and by tshark',
    '',
    `${versions.join(', ')}. ${results.length} captures, ${sum((r) => r.ours.frames ?? 0)} frames, ` +
      `${sum((r) => r.ours.messages.length)} CoAP messages (tshark: ${sum((r) => r.theirs.messages.length)}), ` +
      `${sum((r) => r.aligned.compared)} values compared, ${sum((r) => r.aligned.equal)} equal, ${all.length} different, ` +
      `${results.flatMap(open).length} of these not explained. ` +
      `Seconds over all files: tshark ${seconds(sum((r) => r.theirs.seconds ?? 0))}, ours ${seconds(sum((r) => r.ours.seconds))}.`,
    '',
    'A message is compared wherever a frame completes it: each hop, each link-layer retry, each sniffer. Frames are those',
    'that capinfos counts. `open` are differences without an explanation whose proof holds.',
    '',
    line(HEAD.map(([title]) => title)),
    line(HEAD.map(([, rule]) => rule)),
    ...results.map(row),
    '',
    ...(used.length > 0
      ? [
          '## Explanations',
          '',
          ...used.map((rule) => `* **${rule.id}** (${rule.class}): ${rule.reason}. Proof: ${proof(rule)}.`),
          '',
        ]
      : []),
    ...(merged.length > 0 ? ['## Several sniffers in one file', '', ...merged.flatMap(sniffers), ''] : []),
    ...(twins.length > 0 ? ['## Cooja logs beside the captures of their runs', '', ...twins.map(twin), ''] : []),
    ...(all.length > 0
      ? ['## Differences', '', ...results.filter((r) => r.aligned.differences.length > 0).flatMap(differences)]
      : []),
    ...(unread.length > 0 ? ['## No captures', '', ...unread.map(({ name, why }) => `* \`${name}\`: ${why}`), ''] : []),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}

const proof = ({ proof: { kind, ...about } }) => [kind, ...Object.values(about).flat()].join(' ');

const twin = ({ name, twin: { name: other, frames, aligned } }) =>
  `* \`${name}\` and \`${other}\`: ${frames.join(' / ')} frames, ${aligned.equal} of ${aligned.compared} values equal.`;

const sniffers = ({ name, theirs }) => [
  `* \`${name}\`: tshark was given the frames of each of the ${theirs.sniffers} sniffers by themselves. On the whole file it ` +
    `joins fragments of different sniffers and shows ${theirs.merged.length} messages instead of ${theirs.messages.length}.`,
];
