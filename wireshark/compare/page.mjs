// The comparison as Markdown.
import { open } from './rows.mjs';

/** A value as the cell of a table; a dash without one. */
const cell = (value) => String(value ?? '–').replaceAll('|', '\\|');
const line = (cells) => `| ${cells.map(cell).join(' | ')} |`;
/** Seconds with two decimals; a dash without a number. */
const seconds = (value) => (Number.isFinite(value) ? value.toFixed(2) : '–');

/** Columns of the table of captures: heading, alignment, value of a row. Of pairs, tshark's is first. */
const COLUMNS = [
  ['capture', ':--', ({ name }) => name],
  ['format', ':--', ({ format }) => format ?? 'not read'],
  ['link type', ':--', ({ encapsulation }) => encapsulation],
  ['options of tshark', ':--', ({ how }) => how.join(', ')],
  ['frames', '--:', ({ frames: [theirs] }) => theirs],
  ['ours', '--:', ({ frames: [, ours] }) => ours],
  ['CoAP', '--:', ({ messages: [theirs] }) => theirs],
  ['ours', '--:', ({ messages: [, ours] }) => ours],
  ['values', '--:', ({ compared }) => compared],
  ['equal', '--:', ({ equal }) => equal],
  ['differ', '--:', ({ differences }) => differences.length],
  ['open', '--:', (result) => open(result).length],
  ['tshark s', '--:', ({ seconds: [theirs] }) => seconds(theirs)],
  ['ours s', '--:', ({ seconds: [, ours] }) => seconds(ours)],
  ['ratio', '--:', ({ seconds: [theirs, ours] }) => (theirs / ours).toFixed(0)],
];

/** Lines of the differences of one capture; empty without any. */
function differences(name, all, rules) {
  const why = (id) => {
    const rule = rules.find((rule) => rule.id === id);
    return rule ? `${rule.class} (${id})` : '**open**';
  };
  const rows = all.map(({ frame, field, ours, theirs, rule }) => line([frame, field, ours, theirs, why(rule)]));
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

/** Lines of a section; empty without contents. */
const section = (title, lines) => (lines.length > 0 ? [`## ${title}`, '', ...lines, ''] : []);

const proof = ({ proof: { kind, ...about } }) => [kind, ...Object.values(about).flat()].join(' ');

const explanation = (rule) => `* **${rule.id}** (${rule.class}): ${rule.reason}. Proof: ${proof(rule)}.`;

const beside = ({ name, sibling: { name: other, frames, equal, compared } }) =>
  `* \`${name}\` and \`${other}\`: ${frames.join(' / ')} frames, ${equal} of ${compared} values equal.`;

const sniffers = ({ name, sniffers: { count, mixed }, messages: [theirs] }) =>
  `* \`${name}\`: ${count} sniffers, each given to tshark by itself. On the whole file tshark joins fragments of ` +
  `different sniffers: ${mixed} of these ${theirs} messages are then missing or in other frames.`;

/**
 * The page as Markdown, for rows (rows.mjs); `unread` are files that neither program reads, `left` is the number of
 * captures still to come, `reused` the number of rows of an earlier run.
 */
export function page({ results, unread, rules, versions, left = 0, reused = 0 }) {
  const sum = (pick) => results.reduce((total, result) => total + pick(result), 0);
  const all = results.flatMap((result) => result.differences);
  const pairs = results.filter((result) => result.sibling);
  const used = rules.filter((rule) => all.some((difference) => difference.rule === rule.id));
  return [
    '# Every capture, read by RTOscope and by tshark',
    '',
    `${versions.join(', ')}. ${results.length} captures, ${sum((r) => r.frames[1] ?? 0)} frames, ` +
      `${sum((r) => r.messages[1])} CoAP messages (tshark: ${sum((r) => r.messages[0])}), ` +
      `${sum((r) => r.compared)} values compared, ${sum((r) => r.equal)} equal, ${all.length} different, ` +
      `${results.flatMap(open).length} not explained. ` +
      `Seconds over all files: tshark ${seconds(sum((r) => r.seconds[0]))}, ours ${seconds(sum((r) => r.seconds[1]))}.`,
    ...(left > 0 ? ['', `**Unfinished: ${left} files are still to come.**`] : []),
    ...(reused > 0
      ? ['', `${reused} rows were kept from a run of the same programs and scripts over the same files.`]
      : []),
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
    ...section('Several sniffers in one file', results.filter(({ sniffers }) => sniffers).map(sniffers)),
    ...section('Cooja logs beside the captures of their runs', pairs.map(beside)),
    ...section('Differences', [
      ...results.flatMap(({ name, differences: all }) => differences(name, all, rules)),
      ...pairs.flatMap(({ name, sibling }) =>
        differences(`${name} beside ${sibling.name}`, sibling.differences, rules),
      ),
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
