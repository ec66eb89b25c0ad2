// Generated from the Rust types by `npm run gen`. Do not edit.

/**
 * Verdict on one measure of a self-replay.
 */
export type AgreementKind = "inside" | "near" | "outside";

/**
 * An algorithm with parameter overrides (natural units: seconds, ratios).
 */
export type AlgorithmChoice = { 
/**
 * Preset id.
 */
id: string, 
/**
 * Overrides; empty for the preset as published.
 */
params: Record<string, number | string | boolean>, };

/**
 * One algorithm of the registry, described.
 */
export type AlgorithmSpec = { 
/**
 * The name in overrides and files; stable.
 */
id: string, 
/**
 * A short human name.
 */
name: string, 
/**
 * The code it runs on: presets of one family differ in parameters only.
 */
family: string, 
/**
 * The family's name for people.
 */
family_name: string, 
/**
 * Heading in lists: a protocol, a paper or a product, perhaps shared by several families.
 */
heading: string, 
/**
 * Summary of the algorithm, one sentence.
 */
summary: string, 
/**
 * Completeness of the sources.
 */
rank: Rank, 
/**
 * An interpretation made here where the source is silent; figures must say so.
 */
reading: boolean, 
/**
 * Publication.
 */
citation: string, 
/**
 * Needs packets that name the copy they answer (RC option, timestamp).
 */
marks_attempts: boolean, 
/**
 * Dithers its timeouts.
 */
dithers: boolean, 
/**
 * Shown before the reader asks for more variants.
 */
default: boolean, 
/**
 * After the last copy the sender still waits one timeout (RFC 7252 §4.2); otherwise it gives up at once.
 */
waits_after_last: boolean, 
/**
 * The timeouts of one exchange never shrink, whatever the parameters.
 */
monotone: boolean, 
/**
 * Known bugs and contradictions between sources, one sentence each with its source.
 */
warnings: Array<string>, 
/**
 * Assumptions where the source is silent, one sentence each.
 */
assumptions: Array<string>, 
/**
 * The state machine, if the algorithm is one: a line `from -> to: when` per transition. The
 * states are the [`crate::EstimatorState::mode`]s.
 */
diagram: string | null, 
/**
 * The parameters with this preset's values.
 */
params: Array<ParamSpec>, 
/**
 * The variables of [`crate::EstimatorState::values`], in order.
 */
state: Array<StateSpec>, 
/**
 * Holds first transmissions back ([`crate::build_pacer`]).
 */
paced: boolean, };

/**
 * Answer of a replay in words, the same in every place that says it.
 */
export type AnswerView = { 
/**
 * The timer that completes exchanges sooner than the recorded one, or that this cannot be told: one sentence.
 */
headline: string, 
/**
 * Limits of the answer and facts that come with it, a sentence or two each.
 */
details: Array<string>, };

/**
 * Requests of the application of a client, from its own log. A capture does not show which requests wait or are dropped.
 */
export type ApplicationView = { 
/**
 * Requests issued.
 */
issued: number, 
/**
 * Requests among those that were issued while more waited behind them.
 */
before_others: number, 
/**
 * Most that waited at once.
 */
most_waiting: number, 
/**
 * Messages that were dropped before they became requests.
 */
dropped: number, 
/**
 * Limit of its queue, where drops show it; replays use it too.
 */
queue: number | null, };

/**
 * Lines for a stack.
 */
export type Applied = { 
/**
 * Name of the stack.
 */
stack: string, 
/**
 * Version whose sources were read.
 */
version: string, 
/**
 * File or place that takes the text.
 */
place: string, 
/**
 * Section of the stack's documentation.
 */
documentation: string, 
/**
 * The lines, with a comment that says where they come from.
 */
text: string, 
/**
 * Place in the stack's sources of every line.
 */
sources: Array<string>, 
/**
 * Roundings, and what else a person should know, one sentence each.
 */
remarks: Array<string>, };

/**
 * File of a timer for a CoAP stack.
 */
export type AppliedFile = "lines" | "header" | "source";

/**
 * Ask for the lines that make a CoAP stack run an algorithm.
 */
export type ApplyRequest = { 
/**
 * The algorithm.
 */
algorithm: AlgorithmChoice, 
/**
 * Identifier of the stack.
 */
stack: string, 
/**
 * Retransmissions before giving up; null: those of RFC 7252 §4.8.
 */
max_retransmit: number | null, 
/**
 * Most open exchanges towards one server; null: that of RFC 7252 §4.8.
 */
nstart: number | null, };

/**
 * A client and a server endpoint that exchanged confirmable messages.
 */
export type AssociationId = number;

/**
 * A client and a server.
 */
export type AssociationView = { 
/**
 * Position in the trace; also the lane number.
 */
id: AssociationId, 
/**
 * Client, for people: `mote 5`.
 */
client_name: string, 
/**
 * Server, for people.
 */
server_name: string, 
/**
 * Client address and port.
 */
client: string, 
/**
 * Server address and port.
 */
server: string, 
/**
 * Link-layer hops, where seen.
 */
hops: number | null, 
/**
 * Exchanges.
 */
exchanges: number, 
/**
 * Copies.
 */
copies: number, 
/**
 * Copies that need not have been sent.
 */
needless: number, 
/**
 * Copies that were lost on the way to the server.
 */
lost: number, 
/**
 * Mean completion of its answered exchanges, nanoseconds; null without any.
 */
completion: number | null, 
/**
 * 95th percentile of them, nanoseconds; null without any.
 */
completion_p95: number | null, 
/**
 * Place on the path at which it was captured.
 */
vantage: VantageKind, 
/**
 * That was said, not estimated.
 */
vantage_given: boolean, 
/**
 * Correction from times of the capture to times of the client.
 */
correction: Correction, 
/**
 * Delay in the client between arming the timer of a copy and its first frame on the air; null where it cannot be
 * estimated.
 */
queueing: Delay | null, 
/**
 * When its application sends, `arrivals` or `think_time`.
 */
workload: WorkloadKind, 
/**
 * That was said, not found.
 */
workload_given: boolean, 
/**
 * Timing of its requests.
 */
rhythm: Rhythm, 
/**
 * Most exchanges open at once.
 */
nstart: number, 
/**
 * Requests of its client's application, where a log is beside the capture.
 */
application: ApplicationView | null, };

/**
 * Judge a capture by what is said of it. It goes on under a new number, without runs; the old number is gone.
 */
export type AssumeRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * All that is said; what was said before is forgotten.
 */
said: Array<AssumedView>, };

/**
 * Assumption of a user about one client. Null: as it is estimated.
 */
export type AssumedView = { 
/**
 * The association; null: every association without an assumption of its own.
 */
association: AssociationId | null, 
/**
 * Place of the capture on the way.
 */
vantage: VantageKind | null, 
/**
 * When its application sends.
 */
workload: WorkloadKind | null, 
/**
 * Network stack of the nodes, one of those in replies of `trust`; of every association alike.
 */
stack: string | null, };

/**
 * Fitted autocorrelation of losses or of round-trip times.
 */
export type AutocorrelationView = { 
/**
 * Correlation at lag zero, 0 to 1; 0: none was found.
 */
strength: number, 
/**
 * The lag at which it has fallen to 1/e.
 */
time: number, 
/**
 * The shortest lag at which it was measured.
 */
from: number, 
/**
 * Pairs of copies it was measured on.
 */
pairs: number, };

/**
 * Scale of an axis.
 */
export type AxisKind = "category" | "linear" | "log";

/**
 * An axis.
 */
export type AxisView = { 
/**
 * Quantity and unit.
 */
label: string, 
/**
 * `s`, `%`, `1/s`, …; empty without one.
 */
unit: string, 
/**
 * Scale.
 */
kind: AxisKind, 
/**
 * Names of a category axis.
 */
categories: Array<string>, 
/**
 * Its beginning; null: that of the data.
 */
low: number | null, 
/**
 * Its end; null: that of the data.
 */
high: number | null, };

/**
 * First timeouts of a sender that has no sample yet and other exchanges open ([`Blind`]).
 */
export type BlindKind = "algorithm" | "ignore" | "linear" | "power";

/**
 * Octets that nodes stand on.
 */
export type BufferView = { 
/**
 * `Frame`, `Decompressed`, `Reassembled`, `Decrypted`.
 */
name: string, 
/**
 * The octets, two lower-case hex digits each.
 */
octets: string, };

/**
 * A timer as a C program.
 */
export type CProgram = { 
/**
 * Name of the stack.
 */
stack: string, 
/**
 * Version whose sources were read.
 */
version: string, 
/**
 * Name of both files, without their endings.
 */
name: string, 
/**
 * The header.
 */
header: string, 
/**
 * The C file.
 */
source: string, 
/**
 * Places of the stack's sources that call it, one sentence each.
 */
hook: Array<string>, 
/**
 * Memory for one server, octets.
 */
server_octets: number, 
/**
 * Memory for one open exchange, octets.
 */
exchange_octets: number, 
/**
 * Ticks per second of the stack's timers.
 */
ticks_per_second: number, 
/**
 * Largest distance of a timeout of at least half a tick from the algorithm's, seconds: half a tick.
 */
largest_error: number, 
/**
 * Roundings, and what else a person should know, one sentence each.
 */
remarks: Array<string>, 
/**
 * Place in the stack's sources.
 */
source_of_hook: string, };

/**
 * An algorithm that may have been running.
 */
export type CandidateView = { 
/**
 * The preset, with parameters that suit the capture better than its own.
 */
algorithm: AlgorithmChoice, 
/**
 * Its name for people.
 */
name: string, 
/**
 * Its family, for programs.
 */
family: string, 
/**
 * Its family's name for people.
 */
family_name: string, 
/**
 * It would have to have settled before the capture began.
 */
settled: boolean, 
/**
 * Natural logarithm of the likelihood, times in seconds.
 */
log_likelihood: number, 
/**
 * Distance to the likeliest, natural logarithm of odds.
 */
behind: number, 
/**
 * Its probability among those that are known.
 */
probability: number, 
/**
 * The error of first timeouts.
 */
first_error: number, 
/**
 * The error of backed-off timeouts.
 */
step_error: number, };

/**
 * Names an open capture.
 */
export type CaptureRequest = { 
/**
 * Number of the capture.
 */
capture: number, };

/**
 * An open capture.
 */
export type CaptureView = { 
/**
 * Its number in this session.
 */
id: number, 
/**
 * File name.
 */
name: string, 
/**
 * Path on disk; null for a bundled sample.
 */
path: string | null, 
/**
 * Container and link type, for people: `pcap, IEEE 802.15.4`.
 */
format: string, 
/**
 * Octets on disk.
 */
file_len: number, 
/**
 * Lower-case hex SHA-256 of the file; of several, one for each with ` + ` between.
 */
sha256: string, 
/**
 * Decode options with which it was read.
 */
read_as: ReadAs, 
/**
 * Frames read.
 */
frames: number, 
/**
 * CoAP messages (each transmission by its sender once).
 */
messages: number, 
/**
 * Confirmable exchanges.
 */
exchanges: number, 
/**
 * Copies of confirmable requests.
 */
copies: number, 
/**
 * Copies by their fate.
 */
fates: FateCounts, 
/**
 * Known timers.
 */
timers: TimersView, 
/**
 * Frames that carry a CoAP message, or a part of one.
 */
coap_frames: number, 
/**
 * Earliest frame.
 */
start: number, 
/**
 * Latest frame.
 */
end: number, 
/**
 * Two minutes with the most needless or lost copies, which are shown first; null: the whole capture is, since it is short or
 * has no such copy.
 */
telling: [number, number] | null, 
/**
 * Wall-clock time of the trace's epoch, ISO 8601 UTC; null for simulated time.
 */
epoch: string | null, 
/**
 * Clients and servers; position = lane.
 */
associations: Array<AssociationView>, 
/**
 * Assumptions of the user, see `assume`.
 */
said: Array<AssumedView>, 
/**
 * Counts of what was skipped, repaired or not understood.
 */
notes: Array<NoteCount>, };

/**
 * Kind of a condition besides the timer.
 */
export type ChangeKind = "length" | "clients" | "load" | "routes" | "losses";

/**
 * A condition before and after.
 */
export type ChangeView = { 
/**
 * Kind of the condition.
 */
kind: ChangeKind, 
/**
 * The quantity.
 */
what: string, 
/**
 * In the first capture; null where it does not apply.
 */
before: number | null, 
/**
 * In the second.
 */
after: number | null, 
/**
 * Unit of both; empty of a plain number.
 */
unit: string, 
/**
 * It changed by more than the rule of its kind allows.
 */
changed: boolean, 
/**
 * The change in one sentence.
 */
said: string, };

/**
 * Source of the fates of counterfactual copies.
 */
export type ChannelKind = "auto" | "recorded" | "empirical" | "gilbert_elliott" | "loaded" | "loaded_gilbert_elliott" | "queued" | "twin";

/**
 * Channel states of one path in a window. All `copy_*` are of one length.
 */
export type ChannelStateSeries = { 
/**
 * Moments, evenly from `t0` to `t1`.
 */
at: Array<number>, 
/**
 * Probability of the bad state at each, given all that was recorded; empty without a second state.
 */
bad: Array<number>, 
/**
 * Recorded copies with a fate in the window.
 */
copy_at: Array<number>, 
/**
 * Chance of a loss that was forecast for each from those before it.
 */
copy_chance: Array<number>, 
/**
 * Whether it was lost.
 */
copy_lost: Array<boolean>, 
/**
 * Losses less forecast losses from the beginning of the trace on, divided by the standard deviation of the whole
 * sum: beyond ±2 the model has missed something.
 */
copy_excess: Array<number>, };

/**
 * Ask for the channel states of one path over time.
 */
export type ChannelStateSeriesRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Number of the association, whose path it is.
 */
association: AssociationId, 
/**
 * From.
 */
t0: number, 
/**
 * To.
 */
t1: number, 
/**
 * Number of moments, 2 to 4096.
 */
points: number, };

/**
 * Channel states of every path of a trace, and the response to load.
 */
export type ChannelStatesView = { 
/**
 * Autocorrelation of losses.
 */
loss: AutocorrelationView, 
/**
 * Autocorrelation of round-trip times.
 */
rtt: AutocorrelationView, 
/**
 * Response of the medium to load; null where the trace does not show it.
 */
load: LoadView | null, 
/**
 * The same in words; or why it is not identified.
 */
load_said: string, 
/**
 * The node that all messages pass one after the other; null where the trace does not show one.
 */
queue: QueueView | null, 
/**
 * The same in words; or why there is none.
 */
queue_said: string, 
/**
 * By association.
 */
paths: Array<PathStatesView>, };

/**
 * Frames and airtime of one radio channel.
 */
export type ChannelView = { 
/**
 * Number; null: the capture does not say.
 */
number: number | null, 
/**
 * Frames.
 */
frames: number, 
/**
 * On the air, s.
 */
airtime: number, };

/**
 * A prediction held against a second capture.
 */
export type CheckAgainView = { 
/**
 * Number of measures inside and outside their intervals, in one sentence.
 */
verdict: string, 
/**
 * Timer that was predicted.
 */
algorithm: AlgorithmChoice, 
/**
 * Timer that ran in the second capture, in one sentence.
 */
timer: string, 
/**
 * Evidence of that timer.
 */
known: TimerKnown, 
/**
 * The second capture ran the predicted timer, as far as is known; null: not known.
 */
same: boolean | null, 
/**
 * Measures that were predicted with an interval and measured.
 */
compared: number, 
/**
 * Those of them inside their interval.
 */
held: number, 
/**
 * Expected number of those: 0.9 of each interval, and 1 of each without width.
 */
expected: number, 
/**
 * Measures in display order.
 */
measures: Array<HeldView>, 
/**
 * Conditions besides the timer, before and after.
 */
changes: Array<ChangeView>, 
/**
 * Reservations about the comparison, one sentence each.
 */
reservations: Array<string>, };

/**
 * Verdict of the held-out capture on the values found.
 */
export type CheckKind = "not_better" | "not_checked" | "over_fitted" | "unclear" | "holds";

/**
 * Hold a run of this session against a second capture.
 */
export type CheckRunRequest = { 
/**
 * Predicted run.
 */
run: number, 
/**
 * The second capture.
 */
capture: number, };

/**
 * A legal value of a parameter that is a choice.
 */
export type Choice = { 
/**
 * The value, as in overrides and on the command line.
 */
name: string, 
/**
 * Label in the window.
 */
label: string, };

/**
 * A channel that the capture chose.
 */
export type ChosenChannelView = { 
/**
 * Channel; never `auto`.
 */
channel: ChannelKind, 
/**
 * Why, in one sentence that begins with its name.
 */
why: string, };

/**
 * One client under several timers.
 */
export type ClientEffect = { 
/**
 * Position in the trace.
 */
association: AssociationId, 
/**
 * Client, for people.
 */
name: string, 
/**
 * Recorded mean completion time, seconds; null where nothing was completed.
 */
recorded: number | null, 
/**
 * Mean completion time by run, in the order asked for.
 */
runs: Array<ClientMean>, };

/**
 * Mean completion time of one client in one run, seconds.
 */
export type ClientMean = { 
/**
 * Mean over replicates; null where nothing was completed.
 */
mean: number | null, 
/**
 * 5 % of the replicates lie below.
 */
lo90: number | null, 
/**
 * 5 % of the replicates lie above.
 */
hi90: number | null, };

/**
 * Alignment of the clock of one recording with that of the merged capture. Null for the reference recording.
 */
export type ClockView = { 
/**
 * Its first source.
 */
source: string, 
/**
 * Frames of the recording.
 */
frames: number, 
/**
 * False where common frames are too few: its times are then those of its file.
 */
aligned: boolean, 
/**
 * Frames that it and the others hold.
 */
common: number, 
/**
 * Offset, nanoseconds.
 */
offset: number | null, 
/**
 * Drift, parts per 10^9.
 */
drift_ppb: number | null, 
/**
 * Half of the common frames agree to this, nanoseconds.
 */
residual_median: number | null, 
/**
 * 99 of 100 do to this, nanoseconds.
 */
residual_p99: number | null, };

/**
 * A CoAP stack, with what it makes of a timer.
 */
export type CoapStackView = { 
/**
 * Identifier.
 */
id: string, 
/**
 * Name.
 */
name: string, 
/**
 * Version whose sources were read.
 */
version: string, 
/**
 * File or place that takes the lines.
 */
place: string, 
/**
 * Section of the stack's documentation.
 */
documentation: string, 
/**
 * Why no lines make it run the timer; null: some do.
 */
lines_refused: RefusedView | null, 
/**
 * Why it has no place for the timer as a C program; null: it has one.
 */
program_refused: RefusedView | null, };

/**
 * Kind of an error, for programs: the page tells `Cancelled` and `Request` from the others, the command line `Request` by its exit code, Python
 * all but `Cancelled` by its class. A kind without such a reader is not added.
 */
export type Code = "cancelled" | "capture" | "gone" | "request" | "internal";

/**
 * Source of a 6LoWPAN context.
 */
export type ContextHow = "given" | "announced" | "rpl";

/**
 * A 6LoWPAN context in force.
 */
export type ContextView = { 
/**
 * 0 to 15.
 */
id: number, 
/**
 * `fd00::/64`.
 */
prefix: string, 
/**
 * Its source.
 */
how: ContextHow, };

/**
 * One copy of an exchange.
 */
export type CopyView = { 
/**
 * When it was sent.
 */
sent: number, 
/**
 * When the server had it, where known.
 */
arrived: number | null, 
/**
 * Timer armed with it; null where nothing tells it.
 */
timer: TimerView | null, 
/**
 * Gap on the air to the next copy; null for the last.
 */
gap: number | null, 
/**
 * Wait before the air, where the client's log tells it.
 */
wait: WaitView | null, 
/**
 * Fate of the copy.
 */
fate: FateKind, 
/**
 * True RTT: this copy to its reply.
 */
rtt: number | null, 
/**
 * It need not have been sent.
 */
needless: boolean, 
/**
 * `proven`, `inferred`, `unknown`; `recorded` or `modelled` in a run.
 */
evidence: string, };

/**
 * Correction from the capture's times to the client's.
 */
export type Correction = { 
/**
 * Delay from the client's sending of a copy to its first capture.
 */
request: number, 
/**
 * Delay from the last capture of a reply to its arrival at the client.
 */
reply: number, 
/**
 * Half the width of the 90 % interval of each.
 */
error: number, };

/**
 * Number of rows that a page request has in all.
 */
export type CountView = { 
/**
 * Rows.
 */
count: number, };

/**
 * Share of exchanges that are done by a time.
 */
export type CurveView = { 
/**
 * Times, seconds, in order.
 */
times: Array<number>, 
/**
 * Share done by each, 0 to 1; of a run that of its median replicate.
 */
median: Array<number>, 
/**
 * 5 % of the replicates lie below; empty for what was recorded.
 */
lo90: Array<number>, 
/**
 * 5 % of the replicates lie above; empty for what was recorded.
 */
hi90: Array<number>, 
/**
 * Share of the replicates that it stands for: below 1 where a run has two modes.
 */
weight: number, };

/**
 * Decode options that a capture does not state itself. Options left out are detected or have their defaults.
 */
export type DecodeAs = { 
/**
 * Trailer of 802.15.4 frames.
 */
fcs: FcsKind, 
/**
 * UDP ports of CoAP; empty: 5683.
 */
ports: Array<number>, 
/**
 * Number of the retransmission-count option.
 */
rc_option: number | null, 
/**
 * 6LoWPAN contexts, as `0=fd00::/64`.
 */
contexts: Array<string>, 
/**
 * Keys of 802.15.4 security, as `HEX` or `HEX:INDEX`. They are in no reply.
 */
keys: string[], 
/**
 * Extended addresses by short one, as `0x1234=00:12:74:00:01:02:03:04`.
 */
addresses: Array<string>, 
/**
 * A packed file may unpack to so many times its size.
 */
unpack_ratio: number | null, };

/**
 * A delay that differs from time to time, as it was measured.
 */
export type Delay = { 
/**
 * Median.
 */
median: number, 
/**
 * 5th percentile.
 */
low: number, 
/**
 * 95th percentile.
 */
high: number, 
/**
 * Number of measurements.
 */
samples: number, };

/**
 * Delivery of a frame or a datagram to the addressed node, as far as it is known.
 */
export type Delivery = "no" | "unlikely" | "unknown" | "yes";

/**
 * A paired difference to the baseline: same replicate, same channel states.
 */
export type DifferenceView = { 
/**
 * Mean of the differences.
 */
mean: number, 
/**
 * 5th percentile.
 */
lo90: number, 
/**
 * 95th percentile.
 */
hi90: number, 
/**
 * 5th and 95th percentile of the difference in another run; null where it was not asked for.
 */
another: [number, number] | null, 
/**
 * Where the run has two modes, or the baseline: the difference in each. `mean` is then that of no run.
 */
modes?: [ModeView, ModeView], };

/**
 * Ask for the decode tree of a frame.
 */
export type DissectRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Frame, from 0.
 */
frame: FrameId, };

/**
 * A frame in all its layers.
 */
export type DissectView = { 
/**
 * Number of the frame, from 0.
 */
frame: FrameId, 
/**
 * Its time.
 */
at: number, 
/**
 * Sniffer that observed it; in a Cooja log, the mote that sent it.
 */
source: string, 
/**
 * Octets that nodes refer to; the first is the frame as it is stored.
 */
buffers: Array<BufferView>, 
/**
 * Protocols and fields, parents before children.
 */
nodes: Array<NodeView>, 
/**
 * CoAP message it carries, or a part of.
 */
message: number | null, 
/**
 * On which hop of that message, from 1.
 */
hop: number | null, 
/**
 * Hops that were seen of it.
 */
hops: number | null, 
/**
 * Exchange of that message.
 */
exchange: ExchangeId | null, 
/**
 * Comments on the frame in the file.
 */
comments: Array<string>, };

/**
 * Asks for the completion times of runs of one capture.
 */
export type DistributionRequest = { 
/**
 * Capture.
 */
capture: number, 
/**
 * Runs.
 */
runs: Array<number>, 
/**
 * Most clients to list.
 */
clients: number, };

/**
 * Completion times, recorded and in runs. Exchanges that fail are never done.
 */
export type DistributionView = { 
/**
 * Recorded.
 */
recorded: CurveView, 
/**
 * In the order asked for.
 */
runs: Array<RunCurves>, 
/**
 * Clients with the greatest effect first: the largest change of the mean completion time by any of the runs.
 */
clients: Array<ClientEffect>, 
/**
 * Clients that there are.
 */
all_clients: number, };

/**
 * The shape of a dot.
 */
export type DotShape = "dot" | "cross" | "triangle" | "ring";

/**
 * Effect of the new values on one capture.
 */
export type EffectView = { 
/**
 * The capture.
 */
capture: string, 
/**
 * SHA-256 of its file.
 */
sha256: string, 
/**
 * It was not looked at during the search.
 */
held_out: boolean, 
/**
 * The replayed part in words; null: all of the capture.
 */
part: string | null, 
/**
 * Every measure with the values to start from.
 */
before: { [key in string]: MetricView }, 
/**
 * Every measure with the values found.
 */
after: { [key in string]: MetricView }, 
/**
 * After minus before, paired by replicate.
 */
difference: { [key in string]: DifferenceView }, };

/**
 * Fate of a message.
 */
export type EndingKind = "arrived" | "not_received" | "incomplete" | "not_acknowledged" | "not_sent_on" | "unknown";

/**
 * Why a request failed.
 */
export type Error = { 
/**
 * Kind, for programs.
 */
code: Code, 
/**
 * Message for a person: what failed, where, and what to do about it.
 */
message: string, 
/**
 * Further lines, such as one a mistake.
 */
detail: string | null, 
/**
 * Column in the request.
 */
at: number | null, };

/**
 * An estimate with its standard error, which is null where the copies do not bound it.
 */
export type EstimateView = { 
/**
 * The likeliest value.
 */
value: number, 
/**
 * Its standard error.
 */
error: number | null, };

/**
 * Kind of event that the transport steps to.
 */
export type EventKind = "any" | "retransmission" | "needless" | "lost" | "disagreement";

/**
 * Strength of the evidence for a fate, weakest first.
 */
export type Evidence = "unknown" | "inferred" | "proven";

/**
 * An exchange: one confirmable message, its copies and what ended it.
 */
export type ExchangeId = number;

/**
 * Ask for one exchange, recorded and under some runs.
 */
export type ExchangeRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Number of the exchange.
 */
exchange: ExchangeId, 
/**
 * Runs to show beside the recorded behaviour.
 */
runs: Array<number>, };

/**
 * Ask for the position of an exchange in the exchange table; null where the table does not have it.
 */
export type ExchangeRowRequest = { 
/**
 * The table; its page does not count.
 */
list: ExchangesRequest, 
/**
 * Number of the exchange.
 */
exchange: ExchangeId, };

/**
 * One exchange under one behaviour.
 */
export type ExchangeSide = { 
/**
 * Null: as recorded.
 */
run: number | null, 
/**
 * Copies in time order.
 */
copies: Array<CopyView>, 
/**
 * When it ended with a reply.
 */
end: number | null, 
/**
 * Outcome.
 */
outcome: OutcomeKind, };

/**
 * One exchange, recorded and under the runs asked for.
 */
export type ExchangeView = { 
/**
 * Number of the exchange.
 */
exchange: ExchangeId, 
/**
 * Its association.
 */
association: AssociationId, 
/**
 * Message ID.
 */
mid: number, 
/**
 * Token, lower-case hex.
 */
token: string, 
/**
 * Method, `0.03`.
 */
code: string, 
/**
 * Completeness of the beginning: is the first copy here the first that was sent?
 */
head: Head, 
/**
 * When the application wanted to send it, where it waited for another one.
 */
ready: MomentView | null, 
/**
 * When the client armed the first copy's timer, before that was on the air.
 */
handed_over: MomentView, 
/**
 * Relations to other exchanges.
 */
related: Array<RelationView>, 
/**
 * First the recorded behaviour, then the runs in the order asked for.
 */
sides: Array<ExchangeSide>, };

/**
 * Ask for a page of the exchange table (Arrow, `ExchangeColumns`).
 */
export type ExchangesRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Only exchanges that start in this window.
 */
window: [number, number] | null, 
/**
 * Only this association.
 */
association: AssociationId | null, 
/**
 * Only exchanges with retransmissions.
 */
retransmitted: boolean, 
/**
 * Column to sort by; by start when null.
 */
sort: string | null, 
/**
 * Largest first.
 */
descending: boolean, 
/**
 * First row.
 */
offset: number, 
/**
 * Rows.
 */
limit: number, };

/**
 * Write one file of a timer for a CoAP stack.
 */
export type ExportAppliedRequest = { 
/**
 * The timer and the stack.
 */
timer: ApplyRequest, 
/**
 * Content of the file.
 */
file: AppliedFile, 
/**
 * Path of the file to write.
 */
path: string, };

/**
 * Write the frames of a packet list as pcapng; of a list of messages, all frames that carried them.
 */
export type ExportPacketsRequest = { 
/**
 * The frames to write.
 */
list: FrameList, 
/**
 * The file; one that is there is replaced, but not the capture itself.
 */
path: string, };

/**
 * Write what a run would have sent as pcapng.
 */
export type ExportRunRequest = { 
/**
 * Number of the run, as `replay` gave it.
 */
run: number, 
/**
 * The file; one that is there is replaced, but not the capture itself.
 */
path: string, };

/**
 * Summary of an exported file.
 */
export type Exported = { 
/**
 * Its path.
 */
path: string, 
/**
 * Recorded frames.
 */
recorded: number, 
/**
 * Recorded frames left out: of copies and replies that would not have been there, or not then.
 */
left_out: number, 
/**
 * Synthetic copies of requests.
 */
copies: number, 
/**
 * Synthetic replies.
 */
replies: number, };

/**
 * Copies by their fate; each is in one of them.
 */
export type FateCounts = { 
/**
 * Answered, and not needless.
 */
answered: number, 
/**
 * Needless, whatever became of it.
 */
needless: number, 
/**
 * Reached the server; its reply was lost.
 */
reply_lost: number, 
/**
 * Lost, on a known hop or somewhere on the way.
 */
lost: number, 
/**
 * The capture cannot tell.
 */
unknown: number, };

/**
 * Fate of a copy. The number in a `fate` column is the position here.
 */
export type FateKind = "answered" | "request_lost" | "reply_lost" | "lost" | "unknown";

/**
 * Trailer of 802.15.4 frames in a file.
 */
export type FcsKind = "auto" | "none" | "crc16" | "ti";

/**
 * A field that filters may name.
 */
export type FieldView = { 
/**
 * As written.
 */
name: string, 
/**
 * Form of the values it is compared with: `a whole number such as …`.
 */
kind: string, 
/**
 * Meaning of the field.
 */
about: string, 
/**
 * Names its values may have.
 */
values: Array<string>, };

/**
 * A capture of a figure's text, with what is said of it.
 */
export type FigureCapture = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Its name in the figure.
 */
name: string, 
/**
 * Tags: `nodes`, `load`, `topology`, `mac`, and free keys.
 */
tags: { [key in string]: string }, 
/**
 * The clients that are replayed and the time that is measured; without, all.
 */
part?: PartView, };

/**
 * The command that writes the numbers of a figure again.
 */
export type FigureLine = { 
/**
 * The line for a POSIX shell, to be called beside the captures; null where no line says all that the figure is made from.
 */
command: string | null, 
/**
 * Files that have to lie beside it, or why there is no line. A sentence each.
 */
notes: Array<string>, };

/**
 * Draw a figure.
 */
export type FigureRequest = { 
/**
 * Name of the recipe.
 */
recipe: string, 
/**
 * From what.
 */
captures: Array<FigureCapture>, 
/**
 * Replayed beside what was recorded.
 */
algorithms: Array<AlgorithmChoice>, 
/**
 * Switches that are not at their defaults.
 */
params: Record<string, number | string | boolean>, 
/**
 * Channel model.
 */
channel: ChannelKind, 
/**
 * Workload.
 */
workload: WorkloadKind, 
/**
 * Seed of every draw.
 */
seed: number, 
/**
 * Replicates.
 */
replicates: number, 
/**
 * The sender's and the server's other rules.
 */
policy?: PolicyView, };

/**
 * One behaviour of one group of captures, as it is drawn.
 */
export type FigureSeries = { 
/**
 * For people: behaviour, and group where there are several.
 */
name: string, 
/**
 * The behaviour alone.
 */
behaviour: string, 
/**
 * The group of captures alone.
 */
captures: string, 
/**
 * Preset id; null for what was recorded.
 */
algorithm: string | null, 
/**
 * Position of the algorithm in the registry; null for what was recorded.
 */
order: number | null, 
/**
 * 0 for a preset as published.
 */
variant: number, 
/**
 * Position of its group: the first is solid, others fainter.
 */
group: number, 
/**
 * Our reading of a source: hatched or dashed.
 */
reading: boolean, };

/**
 * The numbers of a figure.
 */
export type FigureTable = { 
/**
 * Headings.
 */
columns: Array<string>, 
/**
 * For each column, whether it has numbers.
 */
numeric: Array<boolean>, 
/**
 * Cells with every digit; null where one does not apply.
 */
rows: Array<Array<string | null>>, };

/**
 * Write a figure's table to a file.
 */
export type FigureTableRequest = { 
/**
 * The figure.
 */
figure: FigureRequest, 
/**
 * `csv`, `parquet`, `json`, `latex` or `markdown`.
 */
format: string, 
/**
 * The file; one that is there is replaced.
 */
path: string, };

/**
 * A figure.
 */
export type FigureView = { 
/**
 * Name of the recipe.
 */
recipe: string, 
/**
 * Title, for people.
 */
title: string, 
/**
 * The series that are drawn.
 */
series: Array<FigureSeries>, 
/**
 * Small multiples.
 */
panels: Array<PanelView>, 
/**
 * Presets, exchanges, seeds, support, conventions: a sentence each.
 */
caption: Array<string>, 
/**
 * Rules and parts of captures that are not as usual, as the caption has them: for files that have no caption.
 */
settings?: string, 
/**
 * Data that the figure needs and these captures lack; a sentence each.
 */
missing: Array<string>, 
/**
 * Its numbers.
 */
table: FigureTable, };

/**
 * A file of an open capture.
 */
export type FileView = { 
/**
 * Its name without its folder.
 */
name: string, 
/**
 * Its path; null for a bundled sample and the standard input.
 */
path: string | null, 
/**
 * Lower-case hex SHA-256.
 */
sha256: string, };

/**
 * Verdict on the two-state model of a channel.
 */
export type FitKind = "too_few" | "one_state" | "two_states" | "does_not_fit";

/**
 * Follow a file that grows: a capture that is being recorded, a radio log that a simulation appends to. One file is followed at a time.
 */
export type FollowRequest = { 
/**
 * File on disk. It need not be there yet.
 */
path: string, 
/**
 * Options of reading it; without, those of captures by default.
 */
decode: DecodeAs | null, 
/**
 * The open capture whose place it takes; a new one without.
 */
capture: number | null, };

/**
 * The file that is followed.
 */
export type FollowView = { 
/**
 * Its path.
 */
path: string, 
/**
 * Its capture, once there was something to read.
 */
capture: number | null, };

/**
 * Place of a capture of a session file.
 */
export type FoundCapture = { 
/**
 * The worst of its files.
 */
state: FoundKind, 
/**
 * Path of each file; null: not found. Empty for a bundled capture.
 */
paths: Array<string | null>, };

/**
 * Outcome of the search for a capture that a session file names, from best to worst.
 */
export type FoundKind = "same" | "differs" | "missing";

/**
 * A captured frame, in the order of its records in the file, from 0.
 * People see it plus one: "frame 1" is the first record, as in Wireshark.
 */
export type FrameId = number;

/**
 * Rows of a packet list: a capture and what is shown of it.
 */
export type FrameList = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Frames or messages.
 */
rows: RowKind, 
/**
 * Filter expression; blank: all.
 */
filter: string, 
/**
 * Only rows of this window.
 */
window: [number, number] | null, };

/**
 * A gap between copies, beside the timeouts that an algorithm could have armed.
 */
export type Gap = { 
/**
 * The observed gap.
 */
seen: number, 
/**
 * The shortest timeout that the algorithm could have drawn.
 */
shortest: number, 
/**
 * The longest timeout that the algorithm could have drawn.
 */
longest: number, };

/**
 * Group of checks of a network twin against its own capture.
 */
export type GateKindView = "self_replay" | "open_loop" | "patterns" | "senders" | "forwarding" | "halves";

/**
 * A group of checks, counted.
 */
export type GateView = { 
/**
 * Kind of the gate.
 */
kind: GateKindView, 
/**
 * Name for people.
 */
label: string, 
/**
 * Checks inside the twin's 90 % intervals.
 */
inside: number, 
/**
 * All checks.
 */
many: number, 
/**
 * Checks inside that a right twin has on average.
 */
expected: number, 
/**
 * Share of recorded observations that the twin places elsewhere; null where none are placed.
 */
misplaced: number | null, 
/**
 * The same by chance.
 */
misplaced_by_chance: number | null, 
/**
 * The twin is not used because of it.
 */
closed: boolean, 
/**
 * The gate in one sentence.
 */
about: string, };

/**
 * Prediction of the second half of a capture by a twin that is learned from the first.
 */
export type HalvesView = { 
/**
 * Counted, shares of the second half included; null where there is no such twin.
 */
gate: GateView | null, 
/**
 * Measures of the second half, recorded and predicted.
 */
checks: Array<TrustCheckView>, 
/**
 * Why there is no such twin; null where there is.
 */
refusal: string | null, };

/**
 * Completeness of the beginning of an exchange: is the first copy that was captured the first that was sent?
 */
export type Head = "seen" | "perhaps" | "missing";

/**
 * A measure of a prediction beside its measured value.
 */
export type HeldView = { 
/**
 * Name, as in the command line.
 */
name: string, 
/**
 * Value in the first capture.
 */
before: number | null, 
/**
 * Predicted mean; null where the replicates have two modes.
 */
mean: number | null, 
/**
 * 5th percentile of what another run would show.
 */
lo90: number | null, 
/**
 * 95th percentile of it.
 */
hi90: number | null, 
/**
 * Value in the second capture.
 */
measured: number | null, 
/**
 * Measured inside the interval; null where either is missing.
 */
held: boolean | null, };

/**
 * Ask which algorithm was running.
 */
export type IdentifyRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Only these clients; empty for all.
 */
associations: Array<AssociationId>, };

/**
 * Answer of `identify`: the algorithm that was running.
 */
export type IdentifyView = { 
/**
 * All clients together.
 */
trace: RankingView, 
/**
 * Each client.
 */
clients: Array<RankingView>, 
/**
 * The timeouts that ran out, in order of client and exchange.
 */
timeouts: Array<Timeout>, };

/**
 * A line of a panel's key.
 */
export type KeyView = { 
/**
 * Its meaning.
 */
text: string, 
/**
 * The shape of a dot.
 */
dot: DotShape | null, 
/**
 * The look of a line.
 */
line: LineLook | null, };

/**
 * Source of a parameter of the network twin.
 */
export type KnownKind = "read" | "computed" | "inferred" | "preset";

/**
 * One copy.
 */
export type LadderCopy = { 
/**
 * Start of its first frame; in a run: when it is sent.
 */
sent: number, 
/**
 * Timer armed with it; null where nothing tells it.
 */
timer: TimerView | null, 
/**
 * Time on the air to the next copy, or to the closing reply, which the timer outlasts. Null: neither was seen, or a run.
 */
gap: number | null, 
/**
 * Wait before the air, where the client's log tells it.
 */
wait: WaitView | null, 
/**
 * The timer ran out; else something ended it before.
 */
expired: boolean, 
/**
 * Fate of the copy.
 */
fate: FateKind, 
/**
 * Evidence of the fate; `unknown` for modelled copies of a run.
 */
evidence: Evidence, 
/**
 * To its reply.
 */
rtt: number | null, 
/**
 * It need not have been sent.
 */
needless: boolean, 
/**
 * The reply that answers it: position in `replies`.
 */
reply: number | null, 
/**
 * Hop by hop; null where nothing was recorded: the fate is modelled, and how the copy got it is not.
 */
transit: LadderTransit | null, 
/**
 * In a run: the recorded copy whose fate and hops it takes; null: its fate is modelled.
 */
like: LikeView | null, };

/**
 * One frame of a leg.
 */
export type LadderFrame = { 
/**
 * Number of the frame, from 0.
 */
frame: FrameId, 
/**
 * Piece of the datagram, from 0.
 */
fragment: number, 
/**
 * Number of times the fragment had been sent on this hop by then, from 1.
 */
attempt: number, 
/**
 * MAC sequence number.
 */
seq: number | null, 
/**
 * Its start.
 */
start: number, 
/**
 * Its last octet, at 32 µs an octet.
 */
end: number, 
/**
 * Delivery to the addressed node.
 */
delivery: Delivery, 
/**
 * The frame that acknowledged it.
 */
ack: FrameId | null, 
/**
 * End of that frame.
 */
acked: number | null, };

/**
 * One message on one hop.
 */
export type LadderLeg = { 
/**
 * Sending node: position in `nodes`.
 */
from: number, 
/**
 * Addressed node.
 */
to: number, 
/**
 * Start of the first frame.
 */
sent: number, 
/**
 * End of the frame that completed it there; null: not all of it went on the air.
 */
arrived: number | null, 
/**
 * Delivery to `to`.
 */
delivery: Delivery, 
/**
 * Fragments seen; 1 for a datagram in one frame.
 */
fragments: number, 
/**
 * Start of the first frame to the end of the last acknowledgement needed; null: not all acknowledged.
 */
mac_delay: number | null, 
/**
 * It had been sent on this link before.
 */
duplicate: boolean, 
/**
 * IPv6 hop limit.
 */
hop_limit: number, 
/**
 * Its frames in the order of the capture.
 */
frames: Array<LadderFrame>, };

/**
 * A node, in the order of the path.
 */
export type LadderNode = { 
/**
 * Name for people.
 */
name: string, 
/**
 * Link-layer address; null off 802.15.4 and where it was not seen.
 */
address: string | null, 
/**
 * Role in the exchange.
 */
role: LadderRole, 
/**
 * The capture shows frames from it or to it.
 */
seen: boolean, };

/**
 * One reply.
 */
export type LadderReply = { 
/**
 * Form of the reply.
 */
form: ReplyKind, 
/**
 * Start of its first frame seen.
 */
sent: number, 
/**
 * When the client had it; null: it did not, or the capture cannot tell.
 */
arrived: number | null, 
/**
 * The copy it answers, from 0.
 */
answers: number | null, 
/**
 * Evidence of the reply matching.
 */
evidence: Evidence, 
/**
 * It ended the exchange.
 */
closing: boolean, 
/**
 * Hop by hop.
 */
transit: LadderTransit, };

/**
 * Ask for one exchange hop by hop.
 */
export type LadderRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Number of the exchange.
 */
exchange: ExchangeId, 
/**
 * Runs to show beside the recorded behaviour.
 */
runs: Array<number>, };

/**
 * Role of a node in an exchange.
 */
export type LadderRole = "client" | "router" | "beside" | "server";

/**
 * One behaviour.
 */
export type LadderSide = { 
/**
 * Null: as recorded.
 */
run: number | null, 
/**
 * Copies in time order.
 */
copies: Array<LadderCopy>, 
/**
 * Replies in the order of sending; of a run, those of recorded copies only.
 */
replies: Array<LadderReply>, 
/**
 * When it ended with a reply.
 */
end: number | null, 
/**
 * Outcome.
 */
outcome: OutcomeKind, };

/**
 * One message on its way.
 */
export type LadderTransit = { 
/**
 * Number of the message.
 */
message: number, 
/**
 * Its hops, in order of their beginning.
 */
legs: Array<LadderLeg>, 
/**
 * Its waits.
 */
waits: Array<LadderWait>, 
/**
 * Fate of the message.
 */
ending: EndingKind, 
/**
 * Evidence of the fate.
 */
evidence: Evidence, 
/**
 * The leg on which it died or was last seen; null: it arrived, or was never seen.
 */
leg: number | null, 
/**
 * When it arrived, where that was seen.
 */
at: number | null, };

/**
 * One exchange hop by hop.
 */
export type LadderView = { 
/**
 * Number of the exchange.
 */
exchange: ExchangeId, 
/**
 * Its association.
 */
association: AssociationId, 
/**
 * Message ID.
 */
mid: number, 
/**
 * Token, lower-case hex.
 */
token: string, 
/**
 * Method.
 */
code: string, 
/**
 * Vantage of the association.
 */
vantage: VantageKind, 
/**
 * Its place among the exchanges of its association, from 0.
 */
place: number, 
/**
 * Number of exchanges of the association.
 */
of: number, 
/**
 * The exchange before it there.
 */
previous: ExchangeId | null, 
/**
 * The exchange after it there.
 */
next: ExchangeId | null, 
/**
 * From the client to the server.
 */
nodes: Array<LadderNode>, 
/**
 * First the recorded behaviour, then the runs in the order asked for.
 */
sides: Array<LadderSide>, };

/**
 * A message in a node, between arrival and the first frame that took it on.
 */
export type LadderWait = { 
/**
 * Position in `nodes`.
 */
node: number, 
/**
 * It had arrived.
 */
from: number, 
/**
 * First frame that took it on.
 */
until: number, 
/**
 * Why.
 */
kind: WaitKind, };

/**
 * Level of detail of lanes. The number in the `level` column is the position here.
 */
export type LaneLevel = "columns" | "spans" | "single";

/**
 * Order of the lanes of *Timeline*, equal ones by name.
 */
export type LaneOrder = "name" | "needless" | "lost" | "copies" | "completion";

/**
 * Ask for the marks of lanes of some behaviours in a window (Arrow, `LaneColumns`).
 */
export type LanesRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Behaviours, one after the other; null: as recorded.
 */
runs: Array<number | null>, 
/**
 * Window start.
 */
t0: number, 
/**
 * Window end.
 */
t1: number, 
/**
 * Pixels of the window: where copies stand closer than 6 px, all lanes become columns of 4 px.
 */
px: number, 
/**
 * Associations; null: all.
 */
lanes: Array<AssociationId> | null, };

/**
 * The layer at which something was noticed.
 */
export type Layer = "file" | "clock" | "link" | "lowpan" | "ipv6" | "udp" | "coap" | "exchange" | "replay";

/**
 * A recorded copy that a counterfactual one is taken to be.
 */
export type LikeView = { 
/**
 * Its exchange.
 */
exchange: ExchangeId, 
/**
 * Its number, from 0.
 */
copy: number, 
/**
 * Delay of the counterfactual copy against the recorded one; its transit is moved by this.
 */
shift: number, };

/**
 * Dash pattern of a line. Lines of one series differ by it.
 */
export type LineLook = "series" | "step" | "ink" | "ink_dashed" | "thin";

/**
 * Attempt patterns of the packets of exchanges on one link.
 */
export type LinkPatternsView = { 
/**
 * Sender, for people.
 */
from: string, 
/**
 * Addressee, for people.
 */
to: string, 
/**
 * Packets recorded.
 */
packets: number, 
/**
 * Patterns; `A` for an attempt that was acknowledged, `.` for one that was not. An empty one stands for all others.
 */
patterns: Array<ShareCheckView>, };

/**
 * Send a device of the recording to another channel.
 */
export type LiveChannelRequest = { 
/**
 * Number of the device, from 0.
 */
device: number, 
/**
 * 11 to 26.
 */
channel: number, };

/**
 * Condition of a device.
 */
export type LiveCondition = "opening" | "listening" | "gone" | "ended";

/**
 * A device that is there.
 */
export type LiveDevice = { 
/**
 * The text that opens it.
 */
device: string, 
/**
 * Its own name.
 */
name: string, 
/**
 * Known to be a sniffer; a serial line may have anything at its end.
 */
is_sniffer: boolean, };

/**
 * Condition of a device of the recording.
 */
export type LiveDeviceView = { 
/**
 * Its name.
 */
device: string, 
/**
 * Its condition.
 */
condition: LiveCondition, 
/**
 * Why it is not listened to; empty where it is.
 */
why: string, 
/**
 * Its channel, if it has channels.
 */
channel: number | null, 
/**
 * Frames heard.
 */
frames: number, 
/**
 * Frames in the last second.
 */
rate: number, 
/**
 * Frames that it heard and dropped.
 */
dropped: number, 
/**
 * Frames that it sent and that did not arrive.
 */
lost: number, 
/**
 * Messages with a wrong check, or of a shape that none has.
 */
damaged: number, 
/**
 * Octets that belong to no message.
 */
garbage: number, 
/**
 * Times it went and came back.
 */
gaps: number, 
/**
 * Times it fell silent though it should have spoken.
 */
stalls: number, };

/**
 * One device of a recording.
 */
export type LivePlan = { 
/**
 * As [`LiveDevice::device`], or any other that `rtoscope capture --device` takes.
 */
device: string, 
/**
 * 11 to 26; of no meaning for what has no channels.
 */
channel: number, };

/**
 * Begin to record. There is one recording at a time.
 */
export type LiveStartRequest = { 
/**
 * The devices.
 */
devices: Array<LivePlan>, 
/**
 * The file. An existing file is not replaced: the request is then refused.
 */
path: string, };

/**
 * State of the recording.
 */
export type LiveView = { 
/**
 * The file.
 */
path: string, 
/**
 * Whether it goes on.
 */
is_running: boolean, 
/**
 * Why it ended, where that needs attention; else empty.
 */
trouble: string, 
/**
 * Frames on the disk.
 */
frames: number, 
/**
 * Octets of the file.
 */
octets: number, 
/**
 * Frames that came and that the disk did not take.
 */
unwritten: number, 
/**
 * Its devices.
 */
devices: Array<LiveDeviceView>, 
/**
 * The capture that shows it, once it was requested.
 */
capture: number | null, };

/**
 * First copies that met a like load.
 */
export type LoadStepView = { 
/**
 * Mean load they met, copies under way.
 */
load: number, 
/**
 * Number of copies.
 */
copies: number, 
/**
 * Share lost.
 */
lost: number, 
/**
 * Share lost that the fitted response says.
 */
fitted: number, };

/**
 * Response of losses and round trips to load.
 */
export type LoadView = { 
/**
 * By how much the logit of a loss rises per copy of mean airtime under way.
 */
loss: EstimateView, 
/**
 * By how many seconds a round trip gets longer per copy under way.
 */
rtt: EstimateView, 
/**
 * Mean load that a first copy met, copies under way.
 */
mean: number, 
/**
 * Least and most load met.
 */
range: [number, number], 
/**
 * Standard deviation of the load within path and stretch of time: what there is to learn from.
 */
deviation: number, 
/**
 * First copies looked at.
 */
copies: number, 
/**
 * Lost ones among them.
 */
lost: number, 
/**
 * Mean airtime of a copy and its reply, over all hops and retries.
 */
airtime: number, 
/**
 * Most paths that hear each other.
 */
neighbours: number, 
/**
 * The same by load: fifths of the first copies, from least to most.
 */
steps: Array<LoadStepView>, };

/**
 * Evidence for the loss of a link, weakest first.
 */
export type LossEvidence = "unknown" | "acks" | "log";

/**
 * Kind of a mark in a lane. The number in the `kind` column is the position here.
 */
export type MarkKind = "copy" | "closing" | "late" | "span" | "bin";

/**
 * Something drawn in a panel, in units of its axes. `slot` of `slots` shares the width of a category.
 */
export type MarkView = { "mark": "box", 
/**
 * Position in the figure's series.
 */
series: number, 
/**
 * Category.
 */
x: number, 
/**
 * Place in the category.
 */
slot: number, 
/**
 * Places in the category.
 */
slots: number, 
/**
 * Values.
 */
n: number, 
/**
 * Lower whisker, box, median, box, upper whisker.
 */
five: [number, number, number, number, number], 
/**
 * Values beyond the whiskers.
 */
outliers: Array<number>, 
/**
 * Written above: letters.
 */
label: string | null, } | { "mark": "bar", 
/**
 * Position in the figure's series.
 */
series: number, 
/**
 * Category.
 */
x: number, 
/**
 * Place in the category.
 */
slot: number, 
/**
 * Places in the category.
 */
slots: number, 
/**
 * Its end.
 */
value: number, 
/**
 * The interval of the value.
 */
interval: [number, number] | null, 
/**
 * A hollow square: the greatest.
 */
most: number | null, 
/**
 * Written at its end.
 */
label: string | null, } | { "mark": "line", 
/**
 * Position in the figure's series.
 */
series: number, 
/**
 * x and y.
 */
points: Array<[number, number]>, 
/**
 * Low and high at each point, or nothing.
 */
band: Array<[number, number]>, 
/**
 * Dash pattern.
 */
look: LineLook, 
/**
 * On the second vertical axis.
 */
right: boolean, 
/**
 * With the marker of its series at each point.
 */
markers: boolean, 
/**
 * Written at each point, or nothing: letters.
 */
labels?: Array<string>, } | { "mark": "dots", 
/**
 * Position in the figure's series.
 */
series: number, 
/**
 * x and y.
 */
points: Array<[number, number]>, 
/**
 * Their shape.
 */
shape: DotShape, } | { "mark": "point", 
/**
 * Position in the figure's series.
 */
series: number, 
/**
 * x and y.
 */
at: [number, number], 
/**
 * The interval of x.
 */
across: [number, number] | null, 
/**
 * The interval of y.
 */
along: [number, number] | null, } | { "mark": "cell", 
/**
 * Position in the figure's series.
 */
series: number, 
/**
 * Category across.
 */
x: number, 
/**
 * Category down.
 */
y: number, 
/**
 * Share of its series' colour, 0 to 1.
 */
fill: number, 
/**
 * Written in it.
 */
label: string, } | { "mark": "rule", 
/**
 * Upright at this x.
 */
x: number | null, 
/**
 * Level at this y.
 */
y: number | null, 
/**
 * Written at it.
 */
label: string, };

/**
 * Ask for real runs of the network of a capture.
 */
export type MeasuredRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Predicted timers.
 */
algorithms: Array<AlgorithmChoice>, };

/**
 * A real run of the same network, with the same clients and servers.
 */
export type MeasuredRun = { 
/**
 * Its name for people.
 */
name: string, 
/**
 * Its capture, where it is open.
 */
capture: number | null, 
/**
 * Timer that ran; null where it is not known.
 */
algorithm: AlgorithmChoice | null, 
/**
 * Evidence of it.
 */
known: TimerKnown, 
/**
 * Positions of the predicted timers that are this one, with all its parameters; of an identified one, those that
 * `identify` does not tell apart.
 */
same: Array<number>, 
/**
 * Positions of other timers of the same algorithm.
 */
alike: Array<number>, 
/**
 * By measure name: its measured values.
 */
metrics: { [key in string]: number }, };

/**
 * Search method.
 */
export type MethodKind = "nelder_mead" | "swarm";

/**
 * Name, definition and unit of a measure.
 */
export type MetricSpec = { 
/**
 * Name, as in the CLI.
 */
name: string, 
/**
 * Heading.
 */
label: string, 
/**
 * Second line of the heading: the rule.
 */
rule: string, 
/**
 * `s`, `fraction`, `count`, `1/s`, `octet/s`, `×`.
 */
unit: string, 
/**
 * Smaller is better.
 */
smaller_is_better: boolean, 
/**
 * Shown by default in Compare.
 */
headline: boolean, };

/**
 * One measure of one run. Null where it does not apply.
 */
export type MetricView = { 
/**
 * In the trace itself.
 */
recorded: number | null, 
/**
 * Model-free bound, the worse side for this measure.
 */
worst: number | null, 
/**
 * Model-free bound, the better side.
 */
best: number | null, 
/**
 * Mean over replicates; null where these have two modes.
 */
mean: number | null, 
/**
 * 5th percentile over replicates: of what would have happened in this trace with the recorded luck.
 */
lo90: number | null, 
/**
 * 95th percentile over replicates, likewise.
 */
hi90: number | null, 
/**
 * 5th and 95th percentile of what another run under the same channel statistics would show; null where it was not
 * asked for.
 */
another: [number, number] | null, 
/**
 * In the replicates that end fast and in those that collapse; absent for a run with one mode.
 */
modes?: [ModeView, ModeView], 
/**
 * Share of copies whose fate was recorded.
 */
support: number | null, };

/**
 * One of two modes of a measure.
 */
export type ModeView = { 
/**
 * Mean over the replicates of the mode.
 */
mean: number, 
/**
 * 5th percentile of them.
 */
lo90: number, 
/**
 * 95th percentile of them.
 */
hi90: number, 
/**
 * 5th and 95th percentile of other runs that end in this mode; null where there are none.
 */
another: [number, number] | null, };

/**
 * Two modes of a run: some replicates end fast, the others collapse. No mean over both is the answer.
 */
export type ModesView = { 
/**
 * Share of the replicates that collapse: P(collapse).
 */
slow: number, 
/**
 * Lower end of its 90 % interval.
 */
lo90: number, 
/**
 * Upper end.
 */
hi90: number, 
/**
 * Mean completion time that parts them, seconds.
 */
boundary: number, };

/**
 * An estimated moment that no frame shows.
 */
export type MomentView = { 
/**
 * When.
 */
at: number, 
/**
 * By how much that may be wrong.
 */
error: number, };

/**
 * Log of the motes of a simulation, found beside its capture.
 */
export type MoteLogView = { 
/**
 * File name.
 */
name: string, 
/**
 * Lines of motes.
 */
lines: number, 
/**
 * Recognised events of CoAP clients and servers among these.
 */
events: number, };

/**
 * Ask for the navigator's density columns (Arrow, `NavigatorColumns`).
 */
export type NavigatorRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Equal time bins over the whole capture, 1..=4096.
 */
bins: number, };

/**
 * One direction between two nodes.
 */
export type NetworkLink = { 
/**
 * Sender, among the nodes.
 */
from: number, 
/**
 * Addressee.
 */
to: number, 
/**
 * Frames, every attempt; off 802.15.4 messages.
 */
frames: number, 
/**
 * Frames with their retries counted as one.
 */
unique: number, 
/**
 * Acknowledged frames, of those that asked for it.
 */
acked: ShareView, 
/**
 * Lost frames, of those of which it is known.
 */
lost: ShareView, 
/**
 * Evidence of the loss.
 */
evidence: LossEvidence, 
/**
 * Unique frames that arrived, of those of which it is known.
 */
delivered: ShareView, 
/**
 * Attempts for one delivery.
 */
attempts: number | null, 
/**
 * First attempt to arrival, median, s.
 */
delay_p50: number | null, 
/**
 * First attempt to arrival, 95th percentile, s.
 */
delay_p95: number | null, 
/**
 * On the air, s.
 */
airtime: number, 
/**
 * CoAP messages.
 */
messages: number, 
/**
 * Copies of confirmable requests.
 */
copies: number, 
/**
 * Needless ones among these.
 */
needless: number, 
/**
 * Signal strength at the sniffer, dBm.
 */
rssi: Spread | null, 
/**
 * Link quality at the sniffer.
 */
lqi: Spread | null, 
/**
 * Filter of the packet list for its frames.
 */
filter: string, };

/**
 * Ask what links and nodes carried in a window (Arrow, `NetworkLoadColumns`).
 */
export type NetworkLoadRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Window start.
 */
t0: number, 
/**
 * Window end.
 */
t1: number, };

/**
 * A node of the network.
 */
export type NetworkNode = { 
/**
 * Name for people.
 */
name: string, 
/**
 * Role in the network.
 */
role: NodeRole, 
/**
 * It was addressed and never heard.
 */
silent: boolean, 
/**
 * Link-layer addresses.
 */
macs: Array<string>, 
/**
 * IP addresses.
 */
addresses: Array<string>, 
/**
 * Associations whose client it is.
 */
client_of: Array<AssociationId>, 
/**
 * Associations whose server it is.
 */
server_of: Array<AssociationId>, 
/**
 * Frames sent, retries and broadcasts included.
 */
frames: number, 
/**
 * Broadcasts among these.
 */
broadcasts: number, 
/**
 * Time it spent sending, s.
 */
airtime: number, 
/**
 * RPL rank it last announced; null: none, or infinite.
 */
rank: number | null, 
/**
 * RPL parents, changes only.
 */
parents: Array<ParentView>, 
/**
 * Evidence of the parents.
 */
parents_by: ParentEvidence | null, 
/**
 * Node above it in the tree of the network; null at a top.
 */
above: number | null, 
/**
 * Filter of the packet list for what it sent or was sent.
 */
filter: string, };

/**
 * Ask for load and loss over time (Arrow, `NetworkSeriesColumns`).
 */
export type NetworkSeriesRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Window start.
 */
t0: number, 
/**
 * Window end.
 */
t1: number, 
/**
 * Equal parts of it, 1..=4096.
 */
bins: number, 
/**
 * Only this link.
 */
link: number | null, 
/**
 * Only the neighbourhood and the links of this node.
 */
node: number | null, };

/**
 * The network of a capture.
 */
export type NetworkView = { 
/**
 * Nodes.
 */
nodes: Array<NetworkNode>, 
/**
 * Links, by sender and addressee.
 */
links: Array<NetworkLink>, 
/**
 * Channels of 802.15.4; none off it.
 */
channels: Array<ChannelView>, 
/**
 * RPL's mode of operation: 1 non-storing, 2 and 3 storing.
 */
mode_of_operation: number | null, 
/**
 * List of nodes that was found beside the capture, or is bundled with it; null: none.
 */
plan: PlanView | null, };

/**
 * Form of a list of nodes.
 */
export type NodeListKind = "simulation" | "rows" | "hosts";

/**
 * Ask for the nodes of a list: a simulation of Cooja, rows of `node,x,y[,name]`, or hosts.
 */
export type NodeListRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * The list.
 */
path: string, };

/**
 * Role of a node in the network.
 */
export type NodeRole = "root" | "router" | "leaf" | "host";

/**
 * A protocol or a field of a frame.
 */
export type NodeView = { 
/**
 * 0 for a protocol, one more than its parent's for a field.
 */
depth: number, 
/**
 * Display-filter name.
 */
name: string, 
/**
 * For people.
 */
label: string, 
/**
 * Its definition: `RFC 7252 §3`.
 */
source: string | null, 
/**
 * As a filter would compare with it; null: nothing to compare.
 */
value: string | null, 
/**
 * Buffer that it stands on.
 */
buffer: number, 
/**
 * First octet there.
 */
start: number, 
/**
 * Behind its last octet; equal to `start` for what no octet says.
 */
end: number, 
/**
 * `finding` is against a standard, or worth knowing.
 */
severity: Severity | null, 
/**
 * Finding about this field.
 */
finding: string | null, };

/**
 * Notes of one kind: how many, and the first as an example.
 */
export type NoteCount = { 
/**
 * The layer that noticed.
 */
layer: Layer, 
/**
 * Stable name of the kind.
 */
code: string, 
/**
 * Meaning for the reader.
 */
severity: Severity, 
/**
 * Number of occurrences.
 */
count: number, 
/**
 * Frame of the first one.
 */
first_frame: FrameId | null, 
/**
 * Octet offset of the first one (into the file where `first_frame` is null).
 */
first_offset: number | null, 
/**
 * Text of the first one.
 */
first_text: string, };

/**
 * Open a capture: exactly one of `path`, `sample` and `merge`.
 */
export type OpenRequest = { 
/**
 * File on disk.
 */
path: string | null, 
/**
 * Bundled capture.
 */
sample: string | null, 
/**
 * Several captures of one network, to be joined on one clock.
 */
merge: Array<string> | null, 
/**
 * Decode options; null: as the file states them.
 */
decode: DecodeAs | null, };

/**
 * Search for parameters that improve a measure.
 */
export type OptimiseRequest = { 
/**
 * Capture to learn on.
 */
capture: number, 
/**
 * The clients that change timers, and the time from which they do; without, all.
 */
part?: PartView, 
/**
 * Capture to check on.
 */
hold_out: number | null, 
/**
 * As `part`, of the capture to check on.
 */
hold_out_part?: PartView, 
/**
 * The algorithm to start from.
 */
algorithm: AlgorithmChoice, 
/**
 * Parameters to search.
 */
over: Array<string>, 
/**
 * A measure; `completion` and `retransmissions` are `duration_mean` and `retries_mean`.
 */
objective: string, 
/**
 * Search method.
 */
method: MethodKind, 
/**
 * Greatest number of evaluations of the objective.
 */
evaluations: number, 
/**
 * Channel model; not [`ChannelKind::Recorded`].
 */
channel: ChannelKind, 
/**
 * Workload.
 */
workload: WorkloadKind, 
/**
 * Seed of every draw: of the channel and of the swarm.
 */
seed: number, 
/**
 * Replicates.
 */
replicates: number, 
/**
 * The sender's and the server's other rules.
 */
policy?: PolicyView, };

/**
 * Result of a search.
 */
export type OptimisedView = { 
/**
 * The algorithm.
 */
algorithm: string, 
/**
 * The measure.
 */
objective: string, 
/**
 * Less of it is better.
 */
smaller_is_better: boolean, 
/**
 * Search method.
 */
method: MethodKind, 
/**
 * Number of evaluations of the objective.
 */
evaluations: number, 
/**
 * The values to start from, by parameter.
 */
before: Record<string, number | string | boolean>, 
/**
 * The values found, by parameter, rounded.
 */
after: Record<string, number | string | boolean>, 
/**
 * The capture of the search, then the one held out.
 */
effects: Array<EffectView>, 
/**
 * Verdict of the held-out capture.
 */
check: CheckKind, 
/**
 * Measures that surely became worse where it was searched, of completion, retransmissions, needless copies and
 * failures: what the objective was paid with.
 */
worse: Array<string>, 
/**
 * A preset with these values, for [`crate::Session::presets`].
 */
preset: string, };

/**
 * Outcome of an exchange. The number in an `outcome` column is the position here.
 */
export type OutcomeKind = "acked" | "separate" | "reset" | "abandoned" | "open";

/**
 * Ask what an algorithm comes to on a path of constant round trip and independent losses.
 */
export type OutlookRequest = { 
/**
 * The algorithm.
 */
algorithm: AlgorithmChoice, 
/**
 * Round trip of every copy that is answered, seconds.
 */
rtt: number, 
/**
 * Probability that a copy or its reply is lost, 0 to 1.
 */
loss: number, };

/**
 * Outlook of an algorithm: means over the dither.
 */
export type OutlookView = { 
/**
 * It arms the same timeouts exchange after exchange.
 */
settled: boolean, 
/**
 * Timeout of each copy, seconds, the last included even where the sender does not wait for it.
 */
timeouts: Array<number>, 
/**
 * When it gives up: least, mean, greatest over the dither, seconds from the first transmission.
 */
give_up: [number, number, number], 
/**
 * Probability of a reply.
 */
success: number, 
/**
 * Mean seconds to the first reply of exchanges that succeed; null where none does.
 */
completion: number | null, 
/**
 * Mean copies.
 */
copies: number, 
/**
 * Mean copies sent although one before is answered.
 */
needless: number, };

/**
 * Number of rows of a packet list.
 */
export type PacketCount = { 
/**
 * Rows that pass.
 */
count: number, 
/**
 * Rows there are.
 */
total: number, };

/**
 * Kind of a frame in the packet list. The number in its `kind` column is the position here.
 */
export type PacketKind = "request" | "retransmission" | "needless" | "reply" | "coap" | "control" | "link_ack" | "mac" | "encrypted" | "damaged" | "other";

/**
 * A row of a packet list.
 */
export type PacketRow = { 
/**
 * Its position.
 */
row: number, 
/**
 * Its frame, from 0.
 */
frame: FrameId, };

/**
 * Ask for the first row at or behind a place: exactly one of `frame`, `exchange` (its first frame) and `at`.
 */
export type PacketRowRequest = { 
/**
 * The list that the rows are taken from.
 */
list: FrameList, 
/**
 * Frame, from 0.
 */
frame: FrameId | null, 
/**
 * Exchange.
 */
exchange: ExchangeId | null, 
/**
 * Time.
 */
at: number | null, };

/**
 * Ask for a page of a packet list (Arrow, `PacketColumns`).
 */
export type PacketsRequest = { 
/**
 * The list that the rows are taken from.
 */
list: FrameList, 
/**
 * First row.
 */
offset: number, 
/**
 * Rows.
 */
limit: number, };

/**
 * A panel of a figure.
 */
export type PanelView = { 
/**
 * Title, for people.
 */
title: string, 
/**
 * By which rule.
 */
rule: string, 
/**
 * Horizontal axis.
 */
x: AxisView, 
/**
 * Vertical axis.
 */
y: AxisView, 
/**
 * Second vertical axis, of what is marked `right`.
 */
right: AxisView | null, 
/**
 * Marks, in drawing order.
 */
marks: Array<MarkView>, 
/**
 * Meaning of every shape that is not named elsewhere.
 */
key: Array<KeyView>, 
/**
 * Panels with an equal number are compared by eye and have the same axes.
 */
axes: number | null, };

/**
 * One parameter of one algorithm, described as data.
 */
export type ParamSpec = { 
/**
 * The name in overrides.
 */
name: string, 
/**
 * A short human name.
 */
label: string, 
/**
 * The part of the algorithm it belongs to, in one word, for forms; empty when there is no such part.
 */
group: string, 
/**
 * Description, one or two sentences.
 */
doc: string, 
/**
 * Unit of the value.
 */
unit: Unit, 
/**
 * The value of this preset, in its unit.
 */
default: ParamValue, 
/**
 * The smallest legal value; none for a choice.
 */
min: number | null, 
/**
 * The largest legal value; none for a choice.
 */
max: number | null, 
/**
 * Scale of a slider from `min` to `max`.
 */
scale: Scale, 
/**
 * The legal values of a choice, empty otherwise.
 */
choices: Array<Choice>, 
/**
 * Source of the default.
 */
citation: string, 
/**
 * The source leaves this open: the default is an interpretation made here.
 */
reading: boolean, };

/**
 * A parameter's value in its natural unit: seconds, a number, a fraction such as `1/3`, or a name.
 */
export type ParamValue = number | string;

/**
 * One parameter of the network twin.
 */
export type ParameterView = { 
/**
 * Name: lower case, words joined by hyphens.
 */
name: string, 
/**
 * Value; the middle one of a range.
 */
value: number, 
/**
 * Lower end of its 90 % interval, or of the values of a preset.
 */
lo: number, 
/**
 * Upper end.
 */
hi: number, 
/**
 * Unit; empty for counts.
 */
unit: string, 
/**
 * Source.
 */
known: KnownKind, 
/**
 * Number of observations behind it.
 */
observations: number, 
/**
 * Place of a preset in the code of the stack, or in a document; null where it is no constant of a stack.
 */
source: string | null, };

/**
 * Evidence for the parents of a node, weakest first.
 */
export type ParentEvidence = "traffic" | "dao_receiver" | "transit";

/**
 * A parent, from some time on.
 */
export type ParentView = { 
/**
 * When it was first seen.
 */
at: number, 
/**
 * Position of the parent among the nodes.
 */
node: number, };

/**
 * Clients of a capture and the stretch of it that are replayed: the question of a deployment. By default all of it.
 */
export type PartView = { 
/**
 * Clients that stay as they were recorded.
 */
as_recorded?: Array<AssociationId>, 
/**
 * Beginning of the replay; without, that of the trace.
 */
start?: StartView, };

/**
 * Channel states of one path: parameters of the fitted two-state model.
 */
export type PathStatesView = { 
/**
 * Number of the association, whose path it is.
 */
association: AssociationId, 
/**
 * Its client, for people.
 */
client: string, 
/**
 * Verdict on the fit.
 */
verdict: FitKind, 
/**
 * The same for people, with the reason.
 */
said: string, 
/**
 * Copies that it was fitted to.
 */
scope: Scope, 
/**
 * Those copies.
 */
copies: number, 
/**
 * Lost ones among them.
 */
lost: number, 
/**
 * Share of time in the bad state; null without a second state.
 */
bad: EstimateView | null, 
/**
 * Seconds after which the state is forgotten to 1/e; null without a second state.
 */
coherence: EstimateView | null, 
/**
 * Chance of a loss in the good state; without a second state: at all.
 */
loss_good: EstimateView, 
/**
 * Chance of a loss in the bad state; null without a second state.
 */
loss_bad: EstimateView | null, 
/**
 * Mean stay in the good and in the bad state, seconds; null without a second state.
 */
sojourns: [number, number] | null, 
/**
 * Stays in the bad state that the path's own copies show: stretches in which it is the likelier one. Null without a second state.
 */
seen: number | null, 
/**
 * Chance of residuals at least as large if the model is right: losses come as often as forecast.
 */
calibration: number, 
/**
 * The same: errors do not predict later errors.
 */
memory: number, 
/**
 * The same: losses are as many as forecast in every tenth of the trace.
 */
drift: number, 
/**
 * Whether the last of the three supports constant parameters throughout the trace.
 */
stationary: boolean, };

/**
 * Write a picture that the page drew.
 */
export type PictureRequest = { 
/**
 * The file, `*.svg` or `*.png`; one that is there is replaced.
 */
path: string, 
/**
 * SVG as text, PNG as hexadecimal digits.
 */
content: string, };

/**
 * One algorithm in one ranking.
 */
export type PlaceView = { 
/**
 * Its position in `algorithms`.
 */
algorithm: number, 
/**
 * Share of the replicates in which it is the best.
 */
best: number, 
/**
 * Its mean place.
 */
place: number, };

/**
 * A list of nodes: a simulation, a floor plan or names.
 */
export type PlanView = { 
/**
 * Name of the file.
 */
file: string, 
/**
 * Its form.
 */
kind: NodeListKind, 
/**
 * Nodes of the network in it, in the order of the network.
 */
nodes: Array<PlannedNode>, 
/**
 * Number of listed nodes that the network does not have.
 */
unknown: number, 
/**
 * Entries that were skipped, in sentences.
 */
notes: Array<string>, };

/**
 * A node of a list, found among those of the network.
 */
export type PlannedNode = { 
/**
 * Its position among the nodes.
 */
node: number, 
/**
 * Its place; null: the list has none.
 */
place: PositionView | null, 
/**
 * Its name for people; null: the list has none.
 */
name: string | null, };

/**
 * Rules besides timeouts and pace: of the sender, the server, and the bottleneck of channel `queued`. What is not there is as
 * in RFC 7252 §4.8 ([`Policy`]), or as the capture shows.
 */
export type PolicyView = { 
/**
 * Most exchanges open at once towards one server; null: as many as the trace shows.
 */
nstart?: number, 
/**
 * Retransmissions before giving up.
 */
max_retransmit?: number, 
/**
 * An exchange is given up after this long whatever its timers say.
 */
exchange_lifetime?: number, 
/**
 * Most requests waiting at once; 0: a request that has to wait is dropped; null: the limit found in the
 * mote log beside the capture, and without one no limit.
 */
queue?: number, 
/**
 * First timeouts before the first sample.
 */
blind?: BlindKind, 
/**
 * Lifetime of estimator state while nothing is sent; null: for ever.
 */
state_lifetime?: number, 
/**
 * Number of servers that a client keeps state of; null: all.
 */
destinations?: number, 
/**
 * PLIMIT, the limit of the early CoCoA drafts on exchanges open to all servers together.
 */
plimit?: boolean, 
/**
 * Octets a second to a server that does not answer; null: not limited.
 */
probing_rate?: number, 
/**
 * Additional processing time of the server per request; null: none.
 */
processing?: number, 
/**
 * The server takes a copy for a new request (no de-duplication, RFC 7252 §4.5).
 */
repeats?: boolean, 
/**
 * Service time of the bottleneck of channel `queued`; null: as the capture shows.
 */
service?: number, 
/**
 * For how many messages it has room, the one that is served included; null: as the capture shows, if it does.
 */
room?: number, };

/**
 * A UDP port on which CoAP was found.
 */
export type PortView = { 
/**
 * The port.
 */
port: number, 
/**
 * Requests that were acknowledged from it.
 */
answered: number, };

/**
 * Place of a node on a plan: to the right and down.
 */
export type PositionView = { 
/**
 * Metres in a simulation, else in the unit of the list.
 */
x: number, 
/**
 * In the same unit.
 */
y: number, };

/**
 * Another value of what no capture shows of a network twin.
 */
export type PresetView = { 
/**
 * Name of the parameter, as in [`crate::view::ParameterView`].
 */
name: string, 
/**
 * Value with which it was asked.
 */
value: number, 
/**
 * Value as asked; null where each replicate draws one.
 */
usual: number | null, 
/**
 * Unit; empty for counts.
 */
unit: string, };

/**
 * Load presets, from a file or from text, or (with neither) only ask which there are.
 */
export type PresetsRequest = { 
/**
 * A TOML or, by its name `*.json`, JSON file.
 */
path: string | null, 
/**
 * The text of such a file: JSON when it begins with `{`.
 */
text: string | null, };

/**
 * The user's presets.
 */
export type PresetsView = { 
/**
 * Ids that this request added or replaced.
 */
loaded: Array<string>, 
/**
 * All of the user's own.
 */
mine: Array<UserPresetView>, 
/**
 * Every algorithm, the user's last.
 */
algorithms: Array<AlgorithmSpec>, };

/**
 * Estimates of a bottleneck, which rules can override ([`crate::view::PolicyView`]).
 */
export type QueueView = { 
/**
 * Time that a message of mean airtime takes, seconds.
 */
service: EstimateView, 
/**
 * For how many there is room; null where the capture does not show it.
 */
room: number | null, };

/**
 * Completeness of an algorithm's sources.
 */
export type Rank = "A" | "A-" | "B+" | "B" | "C";

/**
 * The algorithms by likelihood.
 */
export type RankingView = { 
/**
 * Number of the client's association; null: all together.
 */
association: AssociationId | null, 
/**
 * Its name.
 */
client: string, 
/**
 * Gaps between copies that it rests on.
 */
gaps: number, 
/**
 * Verdict.
 */
verdict: VerdictView, 
/**
 * The likeliest first.
 */
candidates: Array<CandidateView>, 
/**
 * Gaps as they were seen, and what the likeliest would have armed.
 */
evidence: Array<Gap>, };

/**
 * Decode options with which a capture was read: detected, given, or default.
 */
export type ReadAs = { 
/**
 * Link types of frames, in order of appearance.
 */
links: Array<string>, 
/**
 * Trailer that was asked for.
 */
fcs: FcsKind, 
/**
 * A packed file may unpack to so many times its size.
 */
unpack_ratio: number, 
/**
 * Observers of the frames.
 */
sources: Array<SourceView>, 
/**
 * 6LoWPAN contexts in force.
 */
contexts: Array<ContextView>, 
/**
 * UDP ports of CoAP that were named.
 */
ports: Array<number>, 
/**
 * UDP ports of CoAP that were not.
 */
guessed: Array<PortView>, 
/**
 * Number of the retransmission-count option.
 */
rc_option: number, 
/**
 * Number of keys that were given.
 */
keys: number, 
/**
 * Number of pairs of addresses that were given.
 */
addresses: number, 
/**
 * Its files; several where it was merged.
 */
files: Array<FileView>, 
/**
 * Clocks of the merged recordings, the reference first; empty where there is one recording.
 */
clocks: Array<ClockView>, 
/**
 * Frames that show a transmission which another source saw too, and count once.
 */
duplicates: number, 
/**
 * Comments on the file.
 */
comments: Array<string>, 
/**
 * Comments on frames.
 */
frame_comments: number, 
/**
 * Names of addresses that the file gives.
 */
names: number, 
/**
 * Log of the motes, where it is beside the capture.
 */
mote_log: MoteLogView | null, };

/**
 * A figure that can be drawn, described as data.
 */
export type RecipeSpec = { 
/**
 * Name on the command line; stable.
 */
id: string, 
/**
 * For people.
 */
title: string, 
/**
 * One sentence about what it shows.
 */
about: string, 
/**
 * Figures of the literature that it draws, with their study.
 */
reproduces: string, 
/**
 * Its switches.
 */
params: Array<ParamSpec>, };

/**
 * Reason why a stack cannot run a timer.
 */
export type RefusedView = { 
/**
 * Sentence that says which value or algorithm the stack would not take, and why.
 */
why: string, 
/**
 * Sentence that says what can be done about it.
 */
remedy: string, };

/**
 * The part that an exchange plays in something larger.
 */
export type RelationKind = "transfer" | "observation" | "notification" | "onward" | "behind" | "event";

/**
 * Something larger that an exchange is a part of.
 */
export type RelationView = { 
/**
 * Part of the exchange in the relation.
 */
kind: RelationKind, 
/**
 * In a sentence.
 */
said: string, 
/**
 * All exchanges of it, this one among them, in order of start; the first ones where they are very many.
 */
exchanges: Array<ExchangeId>, 
/**
 * Number of these exchanges in all.
 */
count: number, };

/**
 * Replay a capture under other algorithms.
 */
export type ReplayRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Algorithms to compare; when empty the six of a first comparison, and the user's own.
 */
algorithms: Array<AlgorithmChoice>, 
/**
 * Channel model.
 */
channel: ChannelKind, 
/**
 * Workload.
 */
workload: WorkloadKind, 
/**
 * Seed of every draw.
 */
seed: number, 
/**
 * Replicates, 1..=10000.
 */
replicates: number, 
/**
 * Position in `algorithms` that differences are taken to; null: the recorded behaviour.
 */
baseline: number | null, 
/**
 * The clients that are replayed, and the time from which they are; without, all.
 */
part?: PartView, 
/**
 * The whole answer: the model-free bounds too, and what another run would show; without them an answer comes in a third of
 * the time.
 */
bounds: boolean, 
/**
 * The sender's and the server's other rules.
 */
policy?: PolicyView, };

/**
 * Result of a replay.
 */
export type ReplayView = { 
/**
 * As asked for.
 */
capture: number, 
/**
 * In the order asked for.
 */
runs: Array<RunView>, 
/**
 * Verdict on all of them. Values of real runs are in that of the command `verdict`.
 */
verdict: AnswerView, 
/**
 * Channel that was used, where the capture chose it, and why in one sentence.
 */
chosen?: ChosenChannelView, 
/**
 * Measures in display order.
 */
metrics: Array<MetricSpec>, 
/**
 * Rules and part of the capture that are not as usual, in words: for files that have no caption.
 */
settings?: string, };

/**
 * Kind of a reply.
 */
export type ReplyKind = "empty_ack" | "piggybacked" | "separate" | "reset";

/**
 * One answer of the core.
 */
export type ReportReply = { 
/**
 * Command.
 */
name: string, 
/**
 * Its request.
 */
request: unknown, 
/**
 * The reply; null where it is an Arrow stream.
 */
json: unknown, 
/**
 * The Arrow stream, base64.
 */
arrow: string | null, };

/**
 * Make the data of a report, and write the report where a path is given.
 */
export type ReportRequest = { 
/**
 * The open capture that is `file.current`.
 */
capture: number, 
/**
 * The session to report.
 */
file: SessionFile, 
/**
 * Path of the page; null: it is not written.
 */
path: string | null, };

/**
 * A table in two forms.
 */
export type ReportTable = { 
/**
 * File name without ending: `compare`.
 */
name: string, 
/**
 * RFC 4180.
 */
csv: string, 
/**
 * Apache Parquet, base64.
 */
parquet: string, };

/**
 * Everything a report shows: equal captures, sessions and programs give equal octets.
 */
export type ReportView = { 
/**
 * Always `rtoscope-report`.
 */
format: string, 
/**
 * Version of this schema: 1.
 */
version: number, 
/**
 * Program that made it.
 */
program: string, 
/**
 * The session, with this capture alone and without folders.
 */
session: SessionFile, 
/**
 * Makes this report again.
 */
command: string, 
/**
 * Recorded replies of the core, from which the report's page answers its views.
 */
replies: Array<ReportReply>, 
/**
 * Tables to be saved.
 */
tables: Array<ReportTable>, };

/**
 * Timing of successive requests of an association.
 */
export type Rhythm = { 
/**
 * For [`Workload::Arrivals`] from start to start, of requests that did not wait for the one before them; for
 * [`Workload::ThinkTime`] from end to start. `None` where there is none.
 */
gap: Delay | null, 
/**
 * Requests that were sent the moment the one before them ended: they had waited for it, or their client sends one
 * after the other.
 */
at_once: number, 
/**
 * More requests came than could be sent: nearly all waited, but not the first ones.
 */
backlog: boolean, 
/**
 * Requests that began together with those of other clients, see [`crate::Relations::events`].
 */
in_events: number, };

/**
 * Kind of the rows of a packet list.
 */
export type RowKind = "frames" | "messages";

/**
 * Ask for RTO and RTT over time of one association (Arrow, `RtoColumns`).
 */
export type RtoRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Null: as recorded.
 */
run: number | null, 
/**
 * Number of the association.
 */
association: AssociationId, 
/**
 * Window start.
 */
t0: number, 
/**
 * Window end.
 */
t1: number, };

/**
 * A rule besides timeouts ([`PolicyView`]), described as data. Not given, it is as in RFC 7252 §4.8 or as the capture shows.
 */
export type RuleSpec = { 
/**
 * Placeholder of its field while it is not given, where that is not its default.
 */
blank?: string, 
/**
 * The name in overrides.
 */
name: string, 
/**
 * A short human name.
 */
label: string, 
/**
 * The part of the algorithm it belongs to, in one word, for forms; empty when there is no such part.
 */
group: string, 
/**
 * Description, one or two sentences.
 */
doc: string, 
/**
 * Unit of the value.
 */
unit: Unit, 
/**
 * The value of this preset, in its unit.
 */
default: ParamValue, 
/**
 * The smallest legal value; none for a choice.
 */
min: number | null, 
/**
 * The largest legal value; none for a choice.
 */
max: number | null, 
/**
 * Scale of a slider from `min` to `max`.
 */
scale: Scale, 
/**
 * The legal values of a choice, empty otherwise.
 */
choices: Array<Choice>, 
/**
 * Source of the default.
 */
citation: string, 
/**
 * The source leaves this open: the default is an interpretation made here.
 */
reading: boolean, };

/**
 * Completion times of one run.
 */
export type RunCurves = { 
/**
 * Run.
 */
run: number, 
/**
 * One, or those of the fast and of the slow mode; none for a run without exchanges.
 */
curves: Array<CurveView>, };

/**
 * One algorithm's run.
 */
export type RunView = { 
/**
 * Its number: ask for its lanes, steps and states by it.
 */
run: number, 
/**
 * The algorithm.
 */
algorithm: AlgorithmChoice, 
/**
 * Its name for people, with the values that are its own: `CoCoA+, Strong K 3`.
 */
name: string, 
/**
 * Verdict on this timer alone, whatever differences are taken to.
 */
verdict: AnswerView, 
/**
 * Whether what was recorded is a usual run of this timer through the network twin: the verdict where it is the timer that was
 * running. Absent through other channels, and without completion times.
 */
self_replay?: AnswerView, 
/**
 * By measure name.
 */
metrics: { [key in string]: MetricView }, 
/**
 * Paired differences by measure name.
 */
differences: { [key in string]: DifferenceView }, 
/**
 * Its two modes; absent where one explains the replicates.
 */
modes?: ModesView, 
/**
 * Share of copies whose fate was recorded, replicate 0 to R-1 together; null through the network twin, which borrows none.
 */
support: number | null, 
/**
 * Per association: copies and needless copies of the replicate that is drawn.
 */
copies: Array<number>, 
/**
 * See `copies`.
 */
needless: Array<number>, 
/**
 * Per association: 95th percentile of completion times in that replicate, nanoseconds; null where nothing is answered.
 */
completion_p95: Array<number | null>, };

/**
 * A capture bundled with the app.
 */
export type Sample = { 
/**
 * Opened by `{sample: id}`.
 */
id: string, 
/**
 * Name for people.
 */
name: string, 
/**
 * One line: what it shows.
 */
about: string, 
/**
 * Nodes in the network.
 */
nodes: number, };

/**
 * Use of an RTT by the estimator. The number in a `class` column is the position here.
 */
export type SampleKind = "strong" | "weak" | "exact" | "not_sampled" | "unknown";

/**
 * Scale of a slider.
 */
export type Scale = "linear" | "log";

/**
 * Copies that a fit was made from.
 */
export type Scope = "path" | "server" | "trace";

/**
 * The answers to variations of one question.
 */
export type SensitivityView = { 
/**
 * The algorithms compared.
 */
algorithms: Array<AlgorithmChoice>, 
/**
 * Replicates of each row: as many as asked for, or fewer where that is enough.
 */
replicates: number, 
/**
 * As asked first.
 */
variations: Array<VariationView>, 
/**
 * By measure, as asked: from best to worst.
 */
ranking: { [key in string]: Array<PlaceView> }, };

/**
 * A capture and what was looked at in it.
 */
export type SessionCapture = { 
/**
 * Name for people.
 */
name: string, 
/**
 * Bundled capture it is; null: `files`.
 */
sample: string | null, 
/**
 * Its files; several where they were merged.
 */
files: Array<SessionFileRef>, 
/**
 * Decode options.
 */
decode: SessionDecode, 
/**
 * Window, nanoseconds from the trace's epoch.
 */
window: [number, number], 
/**
 * Selected exchange.
 */
selection: ExchangeId | null, 
/**
 * Playhead.
 */
playhead: number, 
/**
 * Association of the RTO view.
 */
association: AssociationId, 
/**
 * Tags: `nodes`, `load`, `topology`, …
 */
tags: { [key in string]: string }, 
/**
 * Moments the reader marked, in order.
 */
flags: Array<SessionFlag>, 
/**
 * Clients that stay as they were recorded, whatever is replayed.
 */
as_recorded?: Array<AssociationId>, 
/**
 * Beginning of replays; without, that of the trace.
 */
start?: StartView, 
/**
 * Names and places that the reader gave nodes.
 */
nodes?: Array<SessionNode>, 
/**
 * Choice and order of the lanes of *Timeline*; without: all, by name.
 */
lanes?: SessionLanes, };

/**
 * Decode options of a capture, as [`DecodeAs`] but without keys.
 */
export type SessionDecode = { 
/**
 * Trailer of 802.15.4 frames.
 */
fcs: FcsKind, 
/**
 * UDP ports of CoAP.
 */
ports: Array<number>, 
/**
 * Number of the retransmission-count option.
 */
rc_option: number | null, 
/**
 * 6LoWPAN contexts that were given.
 */
contexts: Array<string>, 
/**
 * Number of keys that were given. They are asked for again.
 */
keys: number, 
/**
 * Extended addresses by short one.
 */
addresses: Array<string>, 
/**
 * A packed file may unpack to so many times its size.
 */
unpack_ratio: number | null, };

/**
 * A figure of a report.
 */
export type SessionFigure = { 
/**
 * Name of the recipe.
 */
recipe: string, 
/**
 * Switches that are not at their defaults.
 */
params: Record<string, number | string | boolean>, };

/**
 * State of the view Figures.
 */
export type SessionFigures = { 
/**
 * The recipe looked at; null: the first.
 */
recipe: string | null, 
/**
 * Switches that are not at their defaults, of every recipe that has some.
 */
switches: Array<SessionFigure>, 
/**
 * Positions in `captures` of those left out.
 */
without: Array<number>, };

/**
 * A session file (`*.rtoscope.json`): the exact state of the window, without the captures' octets and without
 * keys. A field that is not listed here is refused, and so is another `version`.
 */
export type SessionFile = { 
/**
 * Always `rtoscope-session`.
 */
format: string, 
/**
 * Version of this schema: 1.
 */
version: number, 
/**
 * Program that wrote it: `RTOscope 0.1.0`.
 */
program: string, 
/**
 * The captures that were open, in the order of the library.
 */
captures: Array<SessionCapture>, 
/**
 * Position in `captures` of the one that is looked at.
 */
current: number, 
/**
 * Open view: `timeline`, `compare`, …
 */
view: string, 
/**
 * Algorithms shown, in order, in terms of the registry: presets of one's own are resolved.
 */
algorithms: Array<AlgorithmChoice>, 
/**
 * Baseline of differences: one of `algorithms`, or null for the recorded behaviour.
 */
baseline: AlgorithmChoice | null, 
/**
 * Settings of the replays.
 */
replay: SessionReplay, 
/**
 * Measures shown in Compare; null: the headline ones.
 */
metrics: Array<string> | null, 
/**
 * The experiment of What-if; null: none.
 */
what_if: AlgorithmChoice | null, 
/**
 * Settings of the same algorithm that What-if keeps beside it: C, D, E.
 */
kept: Array<AlgorithmChoice>, 
/**
 * The sweep of What-if.
 */
sweep: SessionSweep, 
/**
 * State of the view Figures.
 */
figures: SessionFigures, 
/**
 * Texts and sections of the report.
 */
report: SessionReport, };

/**
 * A file, identified by its octets.
 */
export type SessionFileRef = { 
/**
 * Its name without its folder.
 */
name: string, 
/**
 * Its path when it was saved; elsewhere it is looked for beside the session file, by name.
 */
path: string | null, 
/**
 * Lower-case hex SHA-256.
 */
sha256: string, 
/**
 * Octets.
 */
octets: number, };

/**
 * A moment the reader marked.
 */
export type SessionFlag = { 
/**
 * When, nanoseconds from the trace's epoch.
 */
at: number, 
/**
 * The reader's note.
 */
note: string, };

/**
 * Choice and order of the lanes of *Timeline*.
 */
export type SessionLanes = { 
/**
 * Order from the top.
 */
order: LaneOrder, 
/**
 * Part of the name or address of a client or server; lanes without it are left out.
 */
filter: string, 
/**
 * Lanes that stand first, whatever the order and the filter.
 */
pinned: Array<AssociationId>, };

/**
 * Name and place that the reader gave a node.
 */
export type SessionNode = { 
/**
 * Its name in the capture: `mote 3`, else an address.
 */
node: string, 
/**
 * The reader's name; null: that of the capture.
 */
name: string | null, 
/**
 * Its place; null: none.
 */
place: PositionView | null, };

/**
 * Read a session file, and look for its captures.
 */
export type SessionReadRequest = { 
/**
 * Path of the file; a report will do too.
 */
path: string, };

/**
 * Settings of replays.
 */
export type SessionReplay = { 
/**
 * Channel model.
 */
channel: ChannelKind, 
/**
 * Workload.
 */
workload: WorkloadKind, 
/**
 * Seed of every draw.
 */
seed: number, 
/**
 * Replicates, 1..=10000.
 */
replicates: number, 
/**
 * The sender's and the server's other rules.
 */
policy?: PolicyView, };

/**
 * Texts and sections of a report.
 */
export type SessionReport = { 
/**
 * Heading; empty: the capture's name.
 */
title: string, 
/**
 * The reader's own words.
 */
notes: string, 
/**
 * Sections, in order ([`SectionKind`]); empty: all.
 */
sections: Array<string>, 
/**
 * Figures of its section of figures, in order.
 */
figures: Array<SessionFigure>, };

/**
 * The sweep of What-if and its drawing; null: the page's default.
 */
export type SessionSweep = { 
/**
 * `plane`, `curve` or `map`.
 */
picture: string | null, 
/**
 * Parameter of curves and of a map's columns.
 */
over: string | null, 
/**
 * Parameter of a map's rows.
 */
across: string | null, 
/**
 * Measure of curves and maps.
 */
measure: string | null, };

/**
 * A session file, and where its captures are.
 */
export type SessionView = { 
/**
 * As it stands.
 */
file: SessionFile, 
/**
 * Per capture.
 */
found: Array<FoundCapture>, };

/**
 * Complete a session with what only the core knows of its captures, and write it where a path is given.
 */
export type SessionWriteRequest = { 
/**
 * Path to write; null: only complete it.
 */
path: string | null, 
/**
 * The open captures, in the order of `file.captures`.
 */
captures: Array<number>, 
/**
 * The session as the page knows it; names, files and decode options are filled in.
 */
file: SessionFile, };

/**
 * Meaning of a note for the reader.
 */
export type Severity = "remark" | "warning";

/**
 * One share, recorded and as the twin shows it.
 */
export type ShareCheckView = { 
/**
 * Pattern, number of senders, or node.
 */
subject: string, 
/**
 * Recorded observations that it is a share of.
 */
observations: number, 
/**
 * Recorded share, 0 to 1.
 */
recorded: number, 
/**
 * Mean of the twin.
 */
mean: number, 
/**
 * 5th percentile of the twin.
 */
lo90: number, 
/**
 * 95th percentile of the twin.
 */
hi90: number, 
/**
 * Verdict.
 */
agreement: AgreementKind, };

/**
 * A share with its 95 % interval (Wilson).
 */
export type ShareView = { 
/**
 * Number of hits.
 */
hits: number, 
/**
 * Number of trials.
 */
trials: number, 
/**
 * The share, and the ends of the interval; null of nothing.
 */
value: number | null, 
/**
 * Lower end.
 */
lo95: number | null, 
/**
 * Upper end.
 */
hi95: number | null, };

/**
 * A sniffer, an interface or a mote.
 */
export type SourceView = { 
/**
 * For people.
 */
name: string, 
/**
 * Frames of it.
 */
frames: number, 
/**
 * Trailer of its frames; null where each record states it, and on other links.
 */
fcs: FcsKind | null, };

/**
 * Smallest, middle and largest value of a measure that sniffers give.
 */
export type Spread = { 
/**
 * Smallest.
 */
min: number, 
/**
 * Median, the lower of two.
 */
median: number, 
/**
 * Largest.
 */
max: number, };

/**
 * Source of the network stack of a twin.
 */
export type StackKnownKind = "recognised" | "assumed" | "chosen";

/**
 * A network stack.
 */
export type StackNameView = { 
/**
 * Identifier.
 */
id: string, 
/**
 * For people.
 */
name: string, };

/**
 * Network stack of a twin.
 */
export type StackView = { 
/**
 * Identifier.
 */
id: string, 
/**
 * Source of the knowledge.
 */
how: StackKnownKind, 
/**
 * Name and reason.
 */
says: string, };

/**
 * Ask which CoAP stacks can run a timer.
 */
export type StacksRequest = { 
/**
 * The algorithm.
 */
algorithm: AlgorithmChoice, 
/**
 * Retransmissions before giving up; null: those of RFC 7252 §4.8.
 */
max_retransmit: number | null, 
/**
 * Most open exchanges towards one server; null: that of RFC 7252 §4.8.
 */
nstart: number | null, };

/**
 * A replay of a part of a trace, which begins when others have gone before.
 */
export type StartView = { 
/**
 * When it begins; exchanges that began before are neither replayed nor measured.
 */
at: number, 
/**
 * Whether estimators have learned from the recorded exchanges before it; else they start as new.
 */
warm: boolean, };

/**
 * Version, bundled captures and default algorithms, for the start of the window.
 */
export type Startup = { 
/**
 * Version of this program.
 */
version: string, 
/**
 * Bundled captures; the first is opened when there is nothing else to open.
 */
samples: Array<Sample>, 
/**
 * Ids of the algorithms shown when nothing else was chosen.
 */
default_algorithms: Array<string>, };

/**
 * One line of a state panel.
 */
export type StateLine = { 
/**
 * Short name for people.
 */
label: string, 
/**
 * Value; null: not set yet.
 */
value: number | null, 
/**
 * `s` or empty.
 */
unit: string, 
/**
 * Instead of a number.
 */
text: string | null, };

/**
 * Ask for the estimator's state at a time.
 */
export type StateRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Number of the run, as `replay` gave it.
 */
run: number, 
/**
 * Number of the association.
 */
association: AssociationId, 
/**
 * When.
 */
at: number, };

/**
 * One variable of an estimator's state.
 */
export type StateSpec = { 
/**
 * The name in [`crate::EstimatorState::values`].
 */
name: string, 
/**
 * A short human name.
 */
label: string, 
/**
 * Unit of the value.
 */
unit: Unit, };

/**
 * Find the next event before or after a time.
 */
export type StepRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * From here.
 */
at: number, 
/**
 * Kind of event.
 */
kind: EventKind, 
/**
 * Backwards in time.
 */
backwards: boolean, 
/**
 * The two behaviours that may disagree, null for what was recorded; events are recorded ones without.
 */
between: [number | null, number | null] | null, };

/**
 * The event found.
 */
export type StepView = { 
/**
 * When.
 */
at: number, 
/**
 * Lane.
 */
association: AssociationId, 
/**
 * Exchange.
 */
exchange: ExchangeId, 
/**
 * Copy number from 0; null: the closing reply.
 */
copy: number | null, };

/**
 * The bundled captures as a study.
 */
export type StudyBundledRequest = { 
/**
 * File of the study, `*.toml`; the captures are written into a folder beside it.
 */
path: string, };

/**
 * A capture of a study.
 */
export type StudyCaptureView = { 
/**
 * Path from the folder of the study's file.
 */
path: string, 
/**
 * The file, where it is there.
 */
file: string | null, 
/**
 * Timer that is known to have run.
 */
ran: string | null, 
/**
 * Tasks with a row, over all channels.
 */
rows: number, 
/**
 * Rows without an answer.
 */
failed: number, 
/**
 * Tasks.
 */
tasks: number, };

/**
 * A timer in a scenario.
 */
export type StudyCellView = { 
/**
 * Runs of the network with a value.
 */
runs: number, 
/**
 * Mean over runs of the network.
 */
mean: number | null, 
/**
 * 90 % interval: of the mean over runs, or of the one run.
 */
interval: [number, number] | null, 
/**
 * Its kind: `bootstrap`, `student`, `another run` or `replicates`; empty without.
 */
kind: string, 
/**
 * Letters among the timers of the scenario.
 */
letters: string | null, 
/**
 * Rows of runs with two modes.
 */
two_modes: number, 
/**
 * Recorded values of captures in which this timer ran.
 */
real: Array<StudyRealView>, 
/**
 * Tasks without a row.
 */
waiting: number, 
/**
 * Rows without an answer, and the first reason.
 */
failed: number, 
/**
 * State of that row: `unreadable`, `refused`, `crashed`; empty without.
 */
state: string, 
/**
 * Its reason; empty without.
 */
reason: string, };

/**
 * A figure over the rows of a study.
 */
export type StudyFigureKind = "scenarios" | "factor" | "winners";

/**
 * A figure of a study.
 */
export type StudyFigureRequest = { 
/**
 * File of the study, or the folder of its rows.
 */
path: string, 
/**
 * The figure.
 */
kind: StudyFigureKind, 
/**
 * Measure; `None`: the first one of the study.
 */
measure: string | null, 
/**
 * Tag or parameter on the axis of a factor plot; `None`: the first.
 */
over: string | null, };

/**
 * Write the table of a figure of a study to a file.
 */
export type StudyFigureTableRequest = { 
/**
 * The figure.
 */
figure: StudyFigureRequest, 
/**
 * `csv`, `parquet`, `json`, `latex` or `markdown`.
 */
format: string, 
/**
 * The file; one that is there is replaced.
 */
path: string, };

/**
 * A folder of runs to look through.
 */
export type StudyFindRequest = { 
/**
 * The folder.
 */
folder: string, 
/**
 * Patterns of paths in it, one or more; `None`: guessed from the names.
 */
patterns: Array<string> | null, };

/**
 * A capture in a folder of runs.
 */
export type StudyFoundCapture = { 
/**
 * Path from the folder, names separated by slashes.
 */
path: string, 
/**
 * Tags of its path.
 */
tags: { [key in string]: string }, 
/**
 * Timer that is known to have run, as the study would call it.
 */
ran: string | null, };

/**
 * Captures of a folder of runs.
 */
export type StudyFoundView = { 
/**
 * The folder.
 */
folder: string, 
/**
 * Patterns of paths in it.
 */
patterns: Array<string>, 
/**
 * Captures that a pattern matches, in order of path.
 */
captures: Array<StudyFoundCapture>, 
/**
 * Captures that none matches, in order of path.
 */
others: Array<string>, 
/**
 * Timers that are known to have run, by hash, names of folders or `ran.json`.
 */
ran: Array<AlgorithmChoice>, 
/**
 * Folder of the rows of a study that has run here.
 */
study: string | null, };

/**
 * The rows of a study, as a grid of scenarios and timers.
 */
export type StudyGridRequest = { 
/**
 * File of the study, or the folder of its rows.
 */
path: string, 
/**
 * Measure; `None`: the first one of the study.
 */
measure: string | null, 
/**
 * Label of the timer under which the captures were recorded that answer; empty: any. `None`: the baseline where captures of it are known.
 */
from: string | null, 
/**
 * Channel; `None`: the first one of the study.
 */
channel: string | null, };

/**
 * The grid of a study. Values are in the unit of the measure.
 */
export type StudyGridView = { 
/**
 * Name of the study; empty without.
 */
name: string, 
/**
 * File of the study; `None` where it is not known or not there any more.
 */
file: string | null, 
/**
 * Folder of its rows.
 */
folder: string, 
/**
 * Program that made its rows; empty before the first.
 */
program: string, 
/**
 * Whether the file differs from what ran last.
 */
changed: boolean, 
/**
 * Tasks of the study; 0 before its first run.
 */
tasks: number, 
/**
 * Tasks with a row.
 */
rows: number, 
/**
 * Rows without an answer.
 */
failed: number, 
/**
 * Replicates.
 */
replicates: number, 
/**
 * The measure that is shown.
 */
measure: MetricSpec, 
/**
 * Measures to choose from, those of the study first.
 */
measures: Array<MetricSpec>, 
/**
 * Timer under which the captures were recorded that answer; `None`: any.
 */
from: string | null, 
/**
 * Timers that are known to have run in captures, as the study calls them.
 */
sources: Array<string>, 
/**
 * The channel that is shown.
 */
channel: string, 
/**
 * Channels of the study.
 */
channels: Array<string>, 
/**
 * Tags and parameters with several values: axes of a factor plot.
 */
factors: Array<string>, 
/**
 * Columns.
 */
timers: Array<StudyTimerView>, 
/**
 * Rows.
 */
scenarios: Array<StudyScenarioView>, 
/**
 * Real runs inside the 90 % interval of their prediction from other captures, and all of those.
 */
inside: [number, number], };

/**
 * End of a run of a study.
 */
export type StudyRanView = { 
/**
 * Tasks of the study.
 */
tasks: number, 
/**
 * Tasks with a row.
 */
rows: number, 
/**
 * Rows without an answer.
 */
failed: number, 
/**
 * Captures that were left out, and why.
 */
notes: Array<string>, };

/**
 * Value of a run that really used a timer.
 */
export type StudyRealView = { 
/**
 * The value.
 */
value: number, 
/**
 * Position of its capture in the scenario.
 */
capture: number, };

/**
 * A study by its place.
 */
export type StudyRequestView = { 
/**
 * File of the study, or the folder of its rows.
 */
path: string, };

/**
 * A row of the grid.
 */
export type StudyScenarioView = { 
/**
 * Name.
 */
name: string, 
/**
 * Its captures, in order of path.
 */
captures: Array<StudyCaptureView>, 
/**
 * Captures that answer, by position: those recorded under the timer asked for, or all where it ran in none.
 */
used: Array<number>, 
/**
 * Recorded value of the captures that answer: mean over runs of the network.
 */
recorded: number | null, 
/**
 * Cells, one a column.
 */
cells: Array<StudyCellView>, 
/**
 * Columns that are not worse than the best, the best first.
 */
best: Array<number>, 
/**
 * Whether the best is told from each of the others.
 */
wins: boolean, 
/**
 * Among columns with real runs the one that is predicted best, and the one whose real runs are best; `None` where fewer than two have both.
 */
truth: [number, number] | null, };

/**
 * A part of a document about a study.
 */
export type StudySection = { 
/**
 * Heading; empty for none.
 */
title: string, 
/**
 * Paragraphs.
 */
text: Array<string>, 
/**
 * Lines of a file or of commands; empty for none.
 */
code: string, 
/**
 * Tables.
 */
tables: Array<StudyTable>, 
/**
 * Figures.
 */
figures: Array<FigureView>, };

/**
 * A table with its heading.
 */
export type StudyTable = { 
/**
 * Heading.
 */
title: string, 
/**
 * Cells.
 */
table: FigureTable, };

/**
 * A capture that a study takes.
 */
export type StudyTaken = { 
/**
 * Path from the folder.
 */
path: string, 
/**
 * Its tags.
 */
tags: { [key in string]: string }, };

/**
 * A column of the grid.
 */
export type StudyTimerView = { 
/**
 * Label in the study.
 */
label: string, 
/**
 * Name and look.
 */
series: FigureSeries, 
/**
 * The timer as a session asks for it.
 */
choice: AlgorithmChoice, };

/**
 * A document about a study: a report, or a figure alone.
 */
export type StudyView = { 
/**
 * Always `rtoscope-study`.
 */
format: string, 
/**
 * Name of the study.
 */
title: string, 
/**
 * Program that made its rows.
 */
program: string, 
/**
 * Parts, in order.
 */
sections: Array<StudySection>, };

/**
 * A study over a folder of runs.
 */
export type StudyWriteRequest = { 
/**
 * File of the study, `*.toml`; one that is there is replaced.
 */
path: string, 
/**
 * Name for people.
 */
name: string, 
/**
 * Folder of the captures.
 */
folder: string, 
/**
 * Patterns of paths in the folder.
 */
patterns: Array<string>, 
/**
 * Captures that are taken, with their tags as edited.
 */
captures: Array<StudyTaken>, 
/**
 * Paths of captures that a pattern matches and that are not taken.
 */
left_out: Array<string>, 
/**
 * Timers.
 */
timers: Array<AlgorithmChoice>, 
/**
 * Replicates of a modelled channel.
 */
replicates: number, };

/**
 * The second parameter of a sweep.
 */
export type SweepAcross = { 
/**
 * The parameter.
 */
parameter: string, 
/**
 * Its values, natural units.
 */
values: Array<number>, };

/**
 * One value of a sweep.
 */
export type SweepPoint = { 
/**
 * The value.
 */
value: number, 
/**
 * The value of the other parameter; null without one.
 */
across: number | null, 
/**
 * By measure name, `w` and `b` (trade-off plane) among them.
 */
metrics: { [key in string]: MetricView }, };

/**
 * Run one algorithm for several values of one parameter, or of two.
 */
export type SweepRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * The algorithm to start from.
 */
algorithm: AlgorithmChoice, 
/**
 * The parameter.
 */
parameter: string, 
/**
 * Its values, natural units.
 */
values: Array<number>, 
/**
 * Another parameter: every value of the one with every value of the other.
 */
across: SweepAcross | null, 
/**
 * Channel model.
 */
channel: ChannelKind, 
/**
 * Workload.
 */
workload: WorkloadKind, 
/**
 * Seed.
 */
seed: number, 
/**
 * Replicates.
 */
replicates: number, 
/**
 * The clients that are replayed, and the time from which they are; without, all.
 */
part?: PartView, 
/**
 * The sender's and the server's other rules.
 */
policy?: PolicyView, };

/**
 * A proposed tag of a capture.
 */
export type TagView = { 
/**
 * `nodes`, `load`, `topology`, `mac` or `preset`.
 */
key: string, 
/**
 * Its value.
 */
value: string, 
/**
 * Source of the value.
 */
why: string, };

/**
 * A timeout that ran out, estimated from the capture.
 */
export type Timeout = { 
/**
 * The association.
 */
association: AssociationId, 
/**
 * The exchange.
 */
exchange: ExchangeId, 
/**
 * The copy whose timer it was: 0 is the original.
 */
copy: number, 
/**
 * Its estimated duration.
 */
value: number, 
/**
 * Half the width of the 95 % interval about `value`: both copies waited for the channel for unknown times.
 */
error: number, 
/**
 * It ended the exchange; estimated from the start of the next request.
 */
last: boolean, };

/**
 * Origin of a timer. The number in a `known` column is the position here.
 */
export type TimerKind = "unknown" | "armed" | "log" | "inferred";

/**
 * Evidence of the timer of a real run.
 */
export type TimerKnown = "bundled" | "named" | "identified" | "unknown";

/**
 * Timer of a copy, and how it is known.
 */
export type TimerView = { 
/**
 * Its duration.
 */
value: number, 
/**
 * Half the width of the 95 % interval about it; 0 in a run.
 */
error: number, 
/**
 * Source of it: armed in a run, from the client's log, or inferred from gaps.
 */
known: TimerKind, };

/**
 * Known timers of recorded copies.
 */
export type TimersView = { 
/**
 * Timers that the clients' log says.
 */
log: number, 
/**
 * Timers inferred from gaps, with an error.
 */
inferred: number, 
/**
 * Copies before a retransmission of which only the gap on the air is known.
 */
gaps: number, 
/**
 * Shortest and longest known timer of first copies.
 */
first: [number, number] | null, 
/**
 * Shortest and longest gap on the air after first copies.
 */
first_gaps: [number, number] | null, 
/**
 * Mean wait of first copies before the air, and mean time from the arming of their timers to the closing reply, of exchanges
 * of which both are known; null where no log tells it.
 */
wait: [number, number] | null, };

/**
 * One measure, recorded and as the twin shows it.
 */
export type TrustCheckView = { 
/**
 * Name.
 */
measure: string, 
/**
 * For people.
 */
label: string, 
/**
 * Unit: `s`, `fraction`, `per exchange`, `frames`.
 */
unit: string, 
/**
 * Recorded value.
 */
recorded: number, 
/**
 * Mean of the twin.
 */
mean: number, 
/**
 * 5th percentile of the twin.
 */
lo90: number, 
/**
 * 95th percentile of the twin.
 */
hi90: number, 
/**
 * Verdict.
 */
agreement: AgreementKind, };

/**
 * Checks of the network twin against its own capture, and the channel that the capture chooses.
 */
export type TrustView = { 
/**
 * Channel that `auto` stands for.
 */
channel: ChannelKind, 
/**
 * Why, in one sentence that begins with its name.
 */
why: string, 
/**
 * Timer of the self-replay: the one that most likely ran; null without a twin, and where no known timer fits.
 */
timer: AlgorithmChoice | null, 
/**
 * Measures recorded and as the twin shows them; empty without a twin.
 */
checks: Array<TrustCheckView>, 
/**
 * Checks and shares counted, in the order of their kinds but for halves; empty without a twin.
 */
gates: Array<GateView>, 
/**
 * Attempt patterns of the links that carry exchanges; empty without a twin.
 */
links: Array<LinkPatternsView>, 
/**
 * Share of cells with one, two, three, more senders, or of frames that start alone, beside one, two, more others.
 */
senders: Array<ShareCheckView>, 
/**
 * Packets that nodes pass on, of those that they got to pass on.
 */
forwarding: Array<ShareCheckView>, 
/**
 * Parameters of the twin; empty without one.
 */
parameters: Array<ParameterView>, 
/**
 * Network stack of which the twin takes what the capture does not show; null without a twin.
 */
stack: StackView | null, 
/**
 * The stacks that may be said to run (`assume`).
 */
stacks: Array<StackNameView>, };

/**
 * Proposal without a faithful implementation: its known and its missing parts.
 */
export type UnimplementedProposal = { 
/**
 * The name its authors gave it.
 */
name: string, 
/**
 * Year of publication, if the sources say.
 */
year: number | null, 
/**
 * Publication, and the sources of the known parts.
 */
citation: string, 
/**
 * Kind of proposal, in a few words.
 */
family: string, 
/**
 * Content of the sources.
 */
known: string, 
/**
 * Parts that an implementation needs and no source gives.
 */
missing: string, 
/**
 * The presets that read it, each with its assumptions ([`crate::AlgorithmSpec::assumptions`]).
 */
readings: Array<string>, 
/**
 * The preset that comes closest without being it.
 */
nearest: string | null, };

/**
 * Unit of a number.
 */
export type Unit = "seconds" | "ratio" | "factor" | "count" | "choice";

/**
 * A preset of the user's own.
 */
export type UserPresetView = { 
/**
 * Its id.
 */
id: string, 
/**
 * The preset it is based on.
 */
base: string, };

/**
 * Place on the path at which an association was captured.
 */
export type VantageKind = "client" | "server" | "between" | "everywhere";

/**
 * The same question asked in another way.
 */
export type VariationView = { 
/**
 * The difference, for people.
 */
what: string, 
/**
 * Why there is no answer; null when there is one.
 */
refused: string | null, 
/**
 * Value of a preset of the network twin, where that is the difference.
 */
preset?: PresetView, 
/**
 * By algorithm: mean per measure; a measure with two modes has none.
 */
means: Array<{ [key in string]: number }>, 
/**
 * By algorithm: means of both modes per measure that has two.
 */
modes: Array<{ [key in string]: [number, number] }>, };

/**
 * Kind of a verdict on a sender.
 */
export type VerdictKind = "identified" | "cannot_tell" | "none_fits";

/**
 * Verdict.
 */
export type VerdictView = { 
/**
 * Kind of the verdict.
 */
kind: VerdictKind, 
/**
 * The families it names: one if identified, those that are left if one cannot tell, none if none fits.
 */
families: Array<string>, 
/**
 * Presets that the capture cannot distinguish; the nearest where none fits.
 */
presets: Array<string>, 
/**
 * The probability that it was this family, of those that are known; 0 where none is claimed.
 */
confidence: number, 
/**
 * The claim, for people.
 */
said: string, };

/**
 * Reason why a message was in a node.
 */
export type WaitKind = "queue" | "turnaround";

/**
 * Wait of a copy before the air.
 */
export type WaitView = { 
/**
 * From when its timer was armed to its first frame.
 */
value: number, 
/**
 * It was so much longer or shorter at most.
 */
error: number, };

/**
 * When the application would have sent.
 */
export type WorkloadKind = "auto" | "arrivals" | "think_time";
