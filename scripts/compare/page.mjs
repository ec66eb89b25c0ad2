// The comparison as Markdown.

const cell = (value) => String(value ?? '–').replaceAll('|', '\\|');
const line = (cells) => `| ${cells.map(cell).join(' | ')} |`;
const seconds = (value) => (value === undefined ? '–' : value.toFixed(2));

/** Differences that no rule explains, those between a log and its twin among them. */
export const open = ({ aligned, twin }) =>
  [...aligned.differences, ...(twin?.aligned.differences ?? [])].filter(({ rule }) => !rule);

const COLUMNS = [
  ['capture', ':--', ({ name }) => name],
  ['format', ':--', ({ ours }) => ours.format ?? 'not read'],
  ['link type', ':--', ({ encapsulation }) => encapsulation],
  ['tshark was told', ':--', ({ how }) => how.join(', ')],
  ['frames', '--:', ({ frames }) => frames],
  ['ours', '--:', ({ ours }) => ours.frames],
  ['CoAP', '--:', ({ theirs }) => theirs.messages.length],
  ['ours', '--:', ({ ours }) => ours.messages.length],
  ['values', '--:', ({ aligned }) => aligned.compared],
  ['equal', '--:', ({ aligned }) => aligned.equal],
  ['differ', '--:', ({ aligned }) => aligned.differences.length],
  ['open', '--:', (result) => open(result).length],
  ['tshark s', '--:', ({ theirs }) => seconds(theirs.seconds)],
  ['ours s', '--:', ({ ours }) => seconds(ours.seconds)],
  ['ratio', '--:', ({ ours, theirs }) => (theirs.seconds / ours.seconds).toFixed(0)],
];

function differences(name, { differences: all }) {
  const rows = all.map(({ frame, field, ours, theirs, rule }) =>
    line([frame, field, ours, theirs, rule ? `${rule.class} (${rule.id})` : '**open**']),
  );
  if (rows.length === 0) return [];
  return [
    `### ${name}`,
    '',
    line(['frame', 'field', 'ours', 'other', 'explanation']),
    '| --: | :-- | :-- | :-- | :-- |',
    ...rows,
    '',
  ];
}

const section = (title, lines) => (lines.length > 0 ? [`## ${title}`, '', ...lines, ''] : []);

const proof = ({ proof: { kind, ...about } }) => [kind, ...Object.values(about).flat()].join(' ');

const explanation = (rule) => `* **${rule.id}** (${rule.class}): ${rule.reason}. Proof: ${proof(rule)}.`;

const beside = ({ name, twin: { name: other, frames, aligned } }) =>
  `* \`${name}\` and \`${other}\`: ${frames.join(' / ')} frames, ${aligned.equal} of ${aligned.compared} values equal.`;

/** Messages that tshark finds when it gets one sniffer's frames, and not in the same frames of the whole file. */
function mixed({ messages, merged }) {
  const key = ({ frame, type, mid }) => `${frame} ${type} ${mid}`;
  const whole = new Set(merged.map(key));
  return messages.filter((message) => !whole.has(key(message))).length;
}

const sniffers = ({ name, theirs }) =>
  `* \`${name}\`: ${theirs.sniffers} sniffers, each given to tshark by itself. On the whole file tshark joins fragments of ` +
  `different sniffers: ${mixed(theirs)} of these ${theirs.messages.length} messages are then missing or in other frames.`;

/** The page for all results; `unread` are files that hold no capture for either side. */
export function page({ results, unread, rules, versions }) {
  const sum = (pick) => results.reduce((total, result) => total + pick(result), 0);
  const all = results.flatMap((result) => result.aligned.differences);
  const twins = results.filter((result) => result.twin);
  const used = rules.filter((rule) => all.some((difference) => difference.rule === rule));
  return [
    '# Every capture, read by RTOscope and by tshark',
    '',
    `${versions.join(', ')}. ${results.length} captures, ${sum((r) => r.ours.frames ?? 0)} frames, ` +
      `${sum((r) => r.ours.messages.length)} CoAP messages (tshark: ${sum((r) => r.theirs.messages.length)}), ` +
      `${sum((r) => r.aligned.compared)} values compared, ${sum((r) => r.aligned.equal)} equal, ${all.length} different, ` +
      `${results.flatMap(open).length} not explained. ` +
      `Seconds over all files: tshark ${seconds(sum((r) => r.theirs.seconds))}, ours ${seconds(sum((r) => r.ours.seconds))}.`,
    '',
    'A message is compared wherever a frame completes it: each hop, each link-layer retry, each sniffer. Frames are those',
    'that capinfos counts, the second column of a pair is ours. `open` are differences without an explanation whose proof',
    `holds. Ten values of every message are compared; of ${sum((r) => r.dissected)} messages, at most 1000 evenly spread`,
    'ones of a capture, the options too. Seconds are those of `rtoscope messages --sightings` and of one `tshark -Y coap',
    '-T fields` over the whole file, start-up included.',
    '',
    line(COLUMNS.map(([title]) => title)),
    line(COLUMNS.map(([, rule]) => rule)),
    ...results.map((result) => line(COLUMNS.map(([, , value]) => value(result)))),
    '',
    ...section('Explanations', used.map(explanation)),
    ...section('Several sniffers in one file', results.filter(({ theirs }) => theirs.merged).map(sniffers)),
    ...section('Cooja logs beside the captures of their runs', twins.map(beside)),
    ...section('Differences', [
      ...results.flatMap(({ name, aligned }) => differences(name, aligned)),
      ...twins.flatMap(({ name, twin }) => differences(`${name} beside ${twin.name}`, twin.aligned)),
    ]),
    ...section(
      'No captures',
      unread.map(({ name, why }) => `* \`${name}\`: ${why}`),
    ),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}
