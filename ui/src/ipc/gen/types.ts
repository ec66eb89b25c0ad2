// Generated from the Rust types by `npm run gen`. Do not edit.

/**
 * Verdict on one measure or share of the network twin on its own capture.
 */
export type AgreementKind = "inside" | "near" | "outside";

/**
 * A rule and its state.
 */
export type AlertRuleView = { 
/**
 * Text of the rule, with single spaces.
 */
text: string, 
/**
 * Number of times that it began or happened.
 */
said: number, 
/**
 * Alerts of it that go on, by client.
 */
open: Array<OpenAlertView>, };

/**
 * Capture that alerts are about.
 */
export type AlertSource = "recording" | "followed";

/**
 * Stage of an alert.
 */
export type AlertStage = "begin" | "end" | "event";

/**
 * An alert of a rule.
 */
export type AlertView = { 
/**
 * Number of the alert, from 1 in the order in which they were said.
 */
number: number, 
/**
 * Text of its rule.
 */
rule: string, 
/**
 * Stage.
 */
stage: AlertStage, 
/**
 * Time in the capture; null while that is not open.
 */
time: number | null, 
/**
 * The same as ISO 8601 in UTC, to the millisecond.
 */
utc: string, 
/**
 * Time at which it began, for one that ends, or of the first event of a sequence; else null.
 */
since: number | null, 
/**
 * Name of the client or node; null: all clients together.
 */
client: string | null, 
/**
 * Value of the measure: a share, a number or seconds; null for events, and where nothing is left to measure.
 */
value: number | null, 
/**
 * Threshold, in the same unit; null for events.
 */
threshold: number | null, 
/**
 * Number of exchanges behind it.
 */
exchanges: number, 
/**
 * Number of their copies; for a timer that changed, of retransmissions.
 */
copies: number, 
/**
 * The alert in words.
 */
text: string, };

/**
 * Request: errors of rules.
 */
export type AlertsCheckRequest = { 
/**
 * Rules, as `rtoscope watch --alert` takes them.
 */
rules: Array<string>, };

/**
 * Request: the alerts so far.
 */
export type AlertsRequest = { 
/**
 * Number of the last alert that is known; 0: all that are kept.
 */
after: number, };

/**
 * Request: begin to watch a capture that goes on, in place of the one before. Where the same one is watched
 * already, it goes on with these rules.
 */
export type AlertsStartRequest = { 
/**
 * Rules, at least one and no two alike.
 */
rules: Array<string>, 
/**
 * Capture to be watched.
 */
source: AlertSource, };

/**
 * Alerts of a capture that goes on.
 */
export type AlertsView = { 
/**
 * Capture that is watched.
 */
source: AlertSource, 
/**
 * Path of its file.
 */
path: string, 
/**
 * Number of the open capture that it is becoming; null while that is not open: times are then null.
 */
capture: number | null, 
/**
 * Sentence that says why nothing more is watched; empty while it goes on.
 */
ended: string, 
/**
 * Whether octets wait that were not read yet.
 */
is_behind: boolean, 
/**
 * Number of frames so far.
 */
frames: number, 
/**
 * Time before which all exchanges that began were judged; null before the first.
 */
judged: number | null, 
/**
 * Time of the last frame that was read; null before the first.
 */
latest: number | null, 
/**
 * Longest capture time, nanoseconds, from the first frame of an exchange until it is judged.
 */
delay: number, 
/**
 * Rules with their state, in the order of the request.
 */
rules: Array<AlertRuleView>, 
/**
 * New alerts, the oldest first; of more than a thousand, the last thousand.
 */
alerts: Array<AlertView>, 
/**
 * Sums over all clients.
 */
all: WatchedView, 
/**
 * Sums of each client, by name.
 */
clients: Array<WatchedView>, 
/**
 * Notes on input that was skipped or doubtful, each kind once.
 */
notes: Array<string>, };

/**
 * An algorithm with overrides of its parameters.
 */
export type AlgorithmChoice = { 
/**
 * Preset id, of the registry or of the user's presets.
 */
id: string, 
/**
 * Overrides by name of parameter, in its natural unit (seconds, ratios); empty for the preset as published.
 */
params: Record<string, number | string | boolean>, };

/**
 * Description of one algorithm of the registry, a preset with all its values.
 */
export type AlgorithmSpec = { 
/**
 * The identifier in overrides and files, such as `cocoa_plus`; stable.
 */
id: string, 
/**
 * A short human name.
 */
name: string, 
/**
 * Identifier of the family, the code it runs on: presets of one family differ in parameters only.
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
 * Completeness of the sources from which it is implemented.
 */
rank: Rank, 
/**
 * Whether it contains an interpretation made here where the source is silent; figures must say so.
 */
reading: boolean, 
/**
 * Publication or source code that defines it.
 */
citation: string, 
/**
 * Whether it needs packets that name the copy they answer (RC option, timestamp).
 */
marks_attempts: boolean, 
/**
 * Whether its timeouts depend on random draws ([`crate::Dither`]).
 */
dithers: boolean, 
/**
 * Whether lists show it before the reader asks for more variants.
 */
default: boolean, 
/**
 * Whether the sender waits one timeout after the last copy (RFC 7252 §4.2); otherwise it gives up as it sends it.
 */
waits_after_last: boolean, 
/**
 * Whether the timeouts of one exchange never shrink, whatever the parameters.
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
 * Whether it holds first transmissions back ([`crate::build_pacer`]).
 */
paced: boolean, };

/**
 * Verdict of a replay in words, the same in every place that says it.
 */
export type AnswerView = { 
/**
 * One sentence: the timer that completes exchanges sooner than the recorded one, or that this cannot be told.
 */
headline: string, 
/**
 * Limits of the verdict and facts that come with it, a sentence or two each.
 */
details: Array<string>, };

/**
 * Requests of the application of a client, from its own log. A capture does not show which requests wait or are
 * dropped.
 */
export type ApplicationView = { 
/**
 * Number of requests that the application issued.
 */
issued: number, 
/**
 * Number of requests among those that were issued while more waited behind them.
 */
before_others: number, 
/**
 * Greatest number of requests that waited at once.
 */
most_waiting: number, 
/**
 * Number of messages that were dropped before they became requests.
 */
dropped: number, 
/**
 * Greatest number of requests that may wait, where drops show it; replays use it too. Null: no limit is known.
 */
queue: number | null, };

/**
 * Lines that make a CoAP stack run a timer, and their sources.
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
 * Place in the stack's sources of every parameter that was set, in the order of the lines.
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
 * Request: the lines that make a CoAP stack run an algorithm.
 */
export type ApplyRequest = { 
/**
 * Algorithm, with the parameters that differ from its preset's.
 */
algorithm: AlgorithmChoice, 
/**
 * Identifier of the stack, one of those in replies of `coap_stacks`.
 */
stack: string, 
/**
 * MAX_RETRANSMIT: number of retransmissions before giving up; null: 4 (RFC 7252 §4.8).
 */
max_retransmit: number | null, 
/**
 * NSTART: greatest number of open exchanges towards one server; null: 1 (RFC 7252 §4.8).
 */
nstart: number | null, };

/**
 * A client and a server endpoint that exchanged confirmable messages.
 */
export type AssociationId = number;

/**
 * An association: a client endpoint with a server endpoint, and all exchanges between them.
 */
export type AssociationView = { 
/**
 * Position in the trace, from 0; also the lane number.
 */
id: AssociationId, 
/**
 * Name of the client for people: `mote 5`.
 */
client_name: string, 
/**
 * Name of the server for people.
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
 * Number of link-layer hops from client to server; null where they were not seen.
 */
hops: number | null, 
/**
 * Number of confirmable exchanges.
 */
exchanges: number, 
/**
 * Number of copies of their requests.
 */
copies: number, 
/**
 * Number of needless copies: sent while an earlier copy of the exchange is answered anyway.
 */
needless: number, 
/**
 * Number of copies lost on the way to the server or somewhere unknown, without those whose reply was lost.
 */
lost: number, 
/**
 * Mean completion time of its answered exchanges, nanoseconds; null without any.
 */
completion: number | null, 
/**
 * 95th percentile of these completion times, nanoseconds; null without any.
 */
completion_p95: number | null, 
/**
 * Place on the path at which it was captured.
 */
vantage: VantageKind, 
/**
 * The vantage was stated by the user, not estimated.
 */
vantage_given: boolean, 
/**
 * Correction from times of the capture to times of the client.
 */
correction: Correction, 
/**
 * Delay in the client between arming the timer of a copy and its first frame on the air, nanoseconds; null
 * where it cannot be
 * estimated.
 */
queueing: Delay | null, 
/**
 * Workload of its application: `arrivals` or `think_time`.
 */
workload: WorkloadKind, 
/**
 * The workload was stated by the user, not detected.
 */
workload_given: boolean, 
/**
 * Timing of its requests.
 */
rhythm: Rhythm, 
/**
 * Greatest number of exchanges that were open at once.
 */
nstart: number, 
/**
 * Requests of its client's application; null without a mote log beside the capture.
 */
application: ApplicationView | null, };

/**
 * Request: judge a capture under assumptions. It goes on under a new number, without runs; the old number is gone.
 */
export type AssumeRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * All assumptions; those made before are forgotten.
 */
said: Array<AssumedView>, };

/**
 * Assumption of a user about one client. Null: not assumed, estimated.
 */
export type AssumedView = { 
/**
 * Number of the association; null: every association without an assumption of its own.
 */
association: AssociationId | null, 
/**
 * Place of the capture on the path.
 */
vantage: VantageKind | null, 
/**
 * Workload of its application.
 */
workload: WorkloadKind | null, 
/**
 * Identifier of the nodes' network stack, one of those in replies of `trust`; it holds for all associations.
 */
stack: string | null, };

/**
 * Fitted autocorrelation of losses or of round-trip times, which decays exponentially with the lag.
 */
export type AutocorrelationView = { 
/**
 * Autocorrelation at lag zero, 0 to 1; 0: none was found.
 */
strength: number, 
/**
 * Lag at which it has fallen to 1/e, nanoseconds.
 */
time: number, 
/**
 * Shortest lag at which the autocorrelation was measured, nanoseconds.
 */
from: number, 
/**
 * Number of pairs of copies that the autocorrelation was measured on.
 */
pairs: number, };

/**
 * Scale of an axis.
 */
export type AxisKind = "category" | "linear" | "log";

/**
 * An axis of a panel: quantity, unit, scale and ends.
 */
export type AxisView = { 
/**
 * Name of the quantity, for people.
 */
label: string, 
/**
 * Unit of the axis: `s`, `%`, `1/s`, …; empty: none.
 */
unit: string, 
/**
 * Scale of the axis.
 */
kind: AxisKind, 
/**
 * Names along a category axis, from position 0; else empty.
 */
categories: Array<string>, 
/**
 * Lower end, in the unit of the axis; null: that of the data.
 */
low: number | null, 
/**
 * Upper end, in the unit of the axis; null: that of the data.
 */
high: number | null, };

/**
 * First timeouts of a sender that has no sample yet and other exchanges open ([`Blind`]).
 */
export type BlindKind = "algorithm" | "ignore" | "linear" | "power";

/**
 * A buffer of octets: the frame, or one that decoding made from it.
 */
export type BufferView = { 
/**
 * Name: `Frame`, `Decompressed`, `Reassembled`, `Decrypted`.
 */
name: string, 
/**
 * Octets, two lower-case hex digits each.
 */
octets: string, };

/**
 * A timer as a C program for one stack.
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
 * Text of the header file.
 */
header: string, 
/**
 * Text of the C file.
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
 * Largest distance of a timeout from the algorithm's, seconds: half a tick. Holds for timeouts of at least half a
 * tick.
 */
largest_error: number, 
/**
 * Roundings, and what else a person should know, one sentence each.
 */
remarks: Array<string>, 
/**
 * Place in the stack's sources of the calls in `hook`.
 */
source_of_hook: string, };

/**
 * Add a check to a calibration table of one's own.
 */
export type CalibrationAddRequest = { 
/**
 * CSV file of the table; made where there is none.
 */
path: string, 
/**
 * The check, as it was answered.
 */
check: CheckAgainView, };

/**
 * An algorithm that may have been running.
 */
export type CandidateView = { 
/**
 * Preset, with the values of parameters that suit the capture better than its own.
 */
algorithm: AlgorithmChoice, 
/**
 * Name of the preset for people.
 */
name: string, 
/**
 * Id of its family ([`replay::identify::family`]).
 */
family: string, 
/**
 * Name of its family for people.
 */
family_name: string, 
/**
 * The estimator had settled before the capture began.
 */
settled: boolean, 
/**
 * Natural logarithm of the likelihood of the capture, with times in seconds.
 */
log_likelihood: number, 
/**
 * Lag behind the best in penalised log-likelihood, nats; 0 or more.
 */
behind: number, 
/**
 * Probability among the candidates, 0 to 1.
 */
probability: number, 
/**
 * Scale of the error of first timeouts, nanoseconds.
 */
first_error: number, 
/**
 * Scale of the error of backed-off timeouts, nanoseconds.
 */
step_error: number, };

/**
 * Request about one open capture.
 */
export type CaptureRequest = { 
/**
 * Number of the capture.
 */
capture: number, };

/**
 * An open capture, with its summary.
 */
export type CaptureView = { 
/**
 * Number of the capture in this session.
 */
id: number, 
/**
 * File name without its folder; of merged captures, all names with ` + ` between.
 */
name: string, 
/**
 * Path on disk; null for a bundled sample, the standard input and several merged files.
 */
path: string | null, 
/**
 * Container and link type, for people: `pcap, IEEE 802.15.4`.
 */
format: string, 
/**
 * Size of the file on disk, octets; of several files, their sum.
 */
file_len: number, 
/**
 * SHA-256 of the file, lower-case hex; of several, one for each with ` + ` between.
 */
sha256: string, 
/**
 * Decode options with which it was read.
 */
read_as: ReadAs, 
/**
 * Number of frames read, duplicate sightings included.
 */
frames: number, 
/**
 * Number of CoAP messages: each transmission by its sender once, over however many hops.
 */
messages: number, 
/**
 * Number of confirmable exchanges.
 */
exchanges: number, 
/**
 * Number of copies of confirmable requests.
 */
copies: number, 
/**
 * Numbers of copies of confirmable requests, by their fate.
 */
fates: FateCounts, 
/**
 * Timers of these copies, as far as they are known.
 */
timers: TimersView, 
/**
 * Number of frames that carry a CoAP message, or a part of one.
 */
coap_frames: number, 
/**
 * Time of the earliest frame, nanoseconds from the trace's epoch.
 */
start: number, 
/**
 * Time of the latest frame, nanoseconds from the trace's epoch.
 */
end: number, 
/**
 * Window of two minutes with the most needless or lost copies, begin and end, which is shown first; null: the
 * whole capture is, since it is short or has no such copy.
 */
telling: [number, number] | null, 
/**
 * Wall-clock time of the trace's epoch, ISO 8601 UTC with nanoseconds; null for simulated time.
 */
epoch: string | null, 
/**
 * Associations of a client and a server; the position of each is its lane.
 */
associations: Array<AssociationView>, 
/**
 * Assumptions of the user (command `assume`).
 */
said: Array<AssumedView>, 
/**
 * Counted notes on input that was skipped, repaired or not understood, one entry per kind.
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
 * Condition that is compared.
 */
kind: ChangeKind, 
/**
 * Quantity that is compared, in words.
 */
what: string, 
/**
 * Value of the quantity in the first capture, in `unit`; null where it does not apply.
 */
before: number | null, 
/**
 * Value of the quantity in the second capture, in `unit`; null where it does not apply.
 */
after: number | null, 
/**
 * Unit of both: `s`, `1/min`, `fraction`; empty for a plain number.
 */
unit: string, 
/**
 * True for a change by more than the rule of its kind allows.
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
 * Channel states of one path in a window. The lists `copy_*` have one entry per copy, in order of sending.
 */
export type ChannelStateSeries = { 
/**
 * Moments, nanoseconds from the trace's epoch, evenly from `t0` to `t1`.
 */
at: Array<number>, 
/**
 * Probability of the bad state at each moment, 0 to 1, given the whole record; empty without a second state.
 */
bad: Array<number>, 
/**
 * Time of each recorded copy with a fate in the window, nanoseconds from the trace's epoch.
 */
copy_at: Array<number>, 
/**
 * Probability of its loss, 0 to 1, forecast from the copies before it.
 */
copy_chance: Array<number>, 
/**
 * Each copy's loss: true where it was lost.
 */
copy_lost: Array<boolean>, 
/**
 * Sum of losses less forecast losses from the beginning of the trace on, divided by the standard deviation of
 * the whole sum: beyond ±2 the model has missed something.
 */
copy_excess: Array<number>, };

/**
 * Request: the channel states of one path over time.
 */
export type ChannelStateSeriesRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Number of the association of the path.
 */
association: AssociationId, 
/**
 * Window start, nanoseconds from the trace's epoch.
 */
t0: number, 
/**
 * Window end, nanoseconds from the trace's epoch; after `t0`.
 */
t1: number, 
/**
 * Number of moments, 2 to 4096; else refused.
 */
points: number, };

/**
 * Channel states of every path of a trace, and the response to load.
 */
export type ChannelStatesView = { 
/**
 * Autocorrelation of losses, over pairs of copies of one path.
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
 * Response to load in one sentence; or why it is not identified.
 */
load_said: string, 
/**
 * Bottleneck: the node that all messages pass one after the other; null where the trace does not show one.
 */
queue: QueueView | null, 
/**
 * Bottleneck in one sentence; or why there is none.
 */
queue_said: string, 
/**
 * Channel states of each path, in the order of the associations.
 */
paths: Array<PathStatesView>, };

/**
 * Frames and airtime of one radio channel.
 */
export type ChannelView = { 
/**
 * Channel number; null: the capture does not say.
 */
number: number | null, 
/**
 * Number of frames on the channel.
 */
frames: number, 
/**
 * Air time of the frames on the channel, seconds.
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
 * Channel that the prediction was made with.
 */
channel: ChannelKind, 
/**
 * SHA-256 of the capture that the prediction was made from.
 */
first: string, 
/**
 * SHA-256 of the second capture.
 */
second: string, 
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
 * Number of measures that were predicted with an interval and measured.
 */
compared: number, 
/**
 * Number of measures inside their predicted intervals.
 */
held: number, 
/**
 * Expected number of measures inside a right prediction: 0.9 for each interval, and 1 for each without width.
 */
expected: number, 
/**
 * Measures in display order, in units of [`crate::view::MetricSpec::unit`], without the number of exchanges.
 */
measures: Array<HeldView>, 
/**
 * Conditions besides the timer, before and after; empty where the prediction does not keep them.
 */
changes: Array<ChangeView>, 
/**
 * Reservations about the comparison, one sentence each.
 */
reservations: Array<string>, };

/**
 * Request: whether a filter expression can be read.
 */
export type CheckFilterRequest = { 
/**
 * Filter expression.
 */
filter: string, };

/**
 * Hold a kept prediction against a second capture.
 */
export type CheckKeptRequest = { 
/**
 * Prediction that was kept, with its capture and conditions.
 */
prediction: KeptPrediction, 
/**
 * Predicted timer; null where the prediction has one.
 */
algorithm: AlgorithmChoice | null, 
/**
 * Number of the second capture, which must not be the one that the prediction was made from.
 */
capture: number, };

/**
 * Verdict of the held-out capture on the values found, by the objective.
 */
export type CheckKind = "not_better" | "not_checked" | "over_fitted" | "unclear" | "holds";

/**
 * Request: hold a run of this session against a second capture.
 */
export type CheckRunRequest = { 
/**
 * Number of the predicted run.
 */
run: number, 
/**
 * Number of the second capture, which must not be the one of the run.
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
 * Channel model; never `auto`.
 */
channel: ChannelKind, 
/**
 * Reason for the choice, in one sentence that begins with the name of the channel.
 */
why: string, 
/**
 * Trust in the answers of this replay.
 */
trust: TrustKind, };

/**
 * Load, losses and route of a client towards one server.
 */
export type ClientConditions = { 
/**
 * IP address of the client, without port.
 */
client: string, 
/**
 * IP address of the server, without port.
 */
server: string, 
/**
 * Name of the client for people.
 */
name: string, 
/**
 * Number of exchanges that the client started.
 */
exchanges: number, 
/**
 * Each request waits for the end of the exchange before it (think time).
 */
waits: boolean, 
/**
 * Number of first copies of which it is known whether they were answered.
 */
first_copies: number, 
/**
 * Number of answered copies among `first_copies`.
 */
answered: number, 
/**
 * Number of link-layer hops to the server; null: not seen.
 */
hops: number | null, 
/**
 * Name of the RPL parent that the client had for longest; null: not seen.
 */
parent: string | null, };

/**
 * One client under several timers.
 */
export type ClientEffect = { 
/**
 * Number of its association.
 */
association: AssociationId, 
/**
 * Name of the client for people.
 */
name: string, 
/**
 * Recorded mean completion time, seconds; null where nothing was completed.
 */
recorded: number | null, 
/**
 * Mean completion time in each run, in the order asked for.
 */
runs: Array<ClientMean>, };

/**
 * Mean completion time of one client in one run, seconds. Null where nothing was completed.
 */
export type ClientMean = { 
/**
 * Mean over replicates, seconds.
 */
mean: number | null, 
/**
 * 5th percentile over replicates, seconds.
 */
lo90: number | null, 
/**
 * 95th percentile over replicates, seconds.
 */
hi90: number | null, };

/**
 * Alignment of one recording's clock with that of the merged capture. The reference recording has nulls.
 */
export type ClockView = { 
/**
 * Name of the first sniffer or interface of the recording.
 */
source: string, 
/**
 * Number of frames of the recording.
 */
frames: number, 
/**
 * False where common frames are too few: its times are then those of its file. True for the reference.
 */
aligned: boolean, 
/**
 * Number of frames that it and the others hold.
 */
common: number, 
/**
 * Time that its clock is ahead of the reference at the first common frame, nanoseconds.
 */
offset: number | null, 
/**
 * Drift of its clock against the reference, parts per 10^9, positive where the clock gains; 0 where too few
 * frames are common to tell.
 */
drift_ppb: number | null, 
/**
 * Median absolute residual of the common frames after alignment, nanoseconds.
 */
residual_median: number | null, 
/**
 * 99th percentile of the absolute residuals, nanoseconds.
 */
residual_p99: number | null, };

/**
 * A CoAP stack, and whether it can run a timer.
 */
export type CoapStackView = { 
/**
 * Identifier, as [`ApplyRequest::stack`] takes it.
 */
id: string, 
/**
 * Name of the stack, for people.
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
 * Reason why no lines make it run the timer; null: some do.
 */
lines_refused: RefusedView | null, 
/**
 * Reason why it has no place for the timer as a C program; null: it has one.
 */
program_refused: RefusedView | null, };

/**
 * Kind of an error, for programs: the page tells `Cancelled` and `Request` from the others, the command line `Request`
 * by its exit code, Python all but `Cancelled` by its class. A kind without such a reader is not added.
 */
export type Code = "cancelled" | "capture" | "gone" | "request" | "internal";

/**
 * Rule of colour: rows of packet lists that pass a filter, unless an earlier rule has them, are drawn in its
 * colour.
 */
export type ColourRule = { 
/**
 * Name for people: what the rows have in common.
 */
name: string, 
/**
 * Filter expression.
 */
filter: string, 
/**
 * Colour of the rows.
 */
colour: RuleColour, 
/**
 * Whether the rule is in force.
 */
on: boolean, };

/**
 * Conditions of a capture besides the timers of its clients. A prediction keeps those of the capture that it was
 * made from.
 */
export type ConditionsView = { 
/**
 * Length of the capture, seconds.
 */
seconds: number, 
/**
 * Clients with their servers, sorted by the two addresses; a client that takes a new port stays one.
 */
clients: Array<ClientConditions>, 
/**
 * Links whose frames asked for acknowledgements, one per direction.
 */
links: Array<LinkConditions>, };

/**
 * Source of a 6LoWPAN context.
 */
export type ContextHow = "given" | "announced" | "rpl";

/**
 * A 6LoWPAN context in force.
 */
export type ContextView = { 
/**
 * Context identifier, 0 to 15 (RFC 6282 §3.1.2).
 */
id: number, 
/**
 * Prefix with its length in bits: `fd00::/64`.
 */
prefix: string, 
/**
 * Source of the context.
 */
how: ContextHow, };

/**
 * One copy of an exchange.
 */
export type CopyView = { 
/**
 * Start of its first frame, in a run the time of sending; nanoseconds from the trace's epoch.
 */
sent: number, 
/**
 * Time of arrival at the server, nanoseconds from the trace's epoch; null where it is not known.
 */
arrived: number | null, 
/**
 * Timer armed with it; null where nothing tells it.
 */
timer: TimerView | null, 
/**
 * Gap on the air to the next copy, nanoseconds; null for the last.
 */
gap: number | null, 
/**
 * Wait before the air; null in a run, and where no log of the client tells it.
 */
wait: WaitView | null, 
/**
 * Fate of the copy.
 */
fate: FateKind, 
/**
 * Round-trip time from this copy to the reply that answers it, nanoseconds; null where none does.
 */
rtt: number | null, 
/**
 * Needless: sent while an earlier copy is answered anyway.
 */
needless: boolean, 
/**
 * Evidence of the fate: `proven`, `inferred`, `unknown`; `recorded` or `modelled` in a run.
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
 * Half the width of the 90 % interval of `request`, and of `reply`.
 */
error: number, };

/**
 * Number of rows that a page request has in all.
 */
export type CountView = { 
/**
 * Number of rows, of all pages together.
 */
count: number, };

/**
 * Distribution function: share of exchanges that are complete by a time.
 */
export type CurveView = { 
/**
 * Times from the first copy, seconds, ascending.
 */
times: Array<number>, 
/**
 * Share complete by each time, 0 to 1; of a run that of its median replicate.
 */
median: Array<number>, 
/**
 * 5th percentile of the share over replicates, by time; empty for the recorded behaviour.
 */
lo90: Array<number>, 
/**
 * 95th percentile of the share over replicates, by time; empty for the recorded behaviour.
 */
hi90: Array<number>, 
/**
 * Share of the replicates that the curve stands for, 0 to 1: below 1 where a run has two modes.
 */
weight: number, };

/**
 * Decode options that a capture does not state itself. Options left out are detected or have their defaults.
 */
export type DecodeAs = { 
/**
 * Trailer of 802.15.4 frames of link types 195 and 230 and of Cooja's log; other formats state it themselves.
 */
fcs: FcsKind, 
/**
 * UDP ports of CoAP; empty: 5683 (RFC 7252 §6.1).
 */
ports: Array<number>, 
/**
 * Number of the retransmission-count option; null: 65020, or as the index of bundled captures says.
 */
rc_option: number | null, 
/**
 * 6LoWPAN contexts, each `ID=PREFIX` with an id of 0 to 15: `0=fd00::/64`.
 */
contexts: Array<string>, 
/**
 * Keys of 802.15.4 security, 32 hex digits each, as `HEX` or `HEX:INDEX` (key index). They are in no reply.
 */
keys: string[], 
/**
 * Extended addresses by short one, as `0x1234=00:12:74:00:01:02:03:04`.
 */
addresses: Array<string>, 
/**
 * Greatest ratio of a packed file's unpacked size to its own; null: 250. The first 16 MiB are always allowed.
 */
unpack_ratio: number | null, };

/**
 * Distribution of a delay that was measured several times.
 */
export type Delay = { 
/**
 * Median of the measurements.
 */
median: number, 
/**
 * 5th percentile of the measurements.
 */
low: number, 
/**
 * 95th percentile of the measurements.
 */
high: number, 
/**
 * Number of measurements that it is of.
 */
samples: number, };

/**
 * Delivery of a frame or a datagram to the addressed node, as far as it is known.
 */
export type Delivery = "no" | "unlikely" | "unknown" | "yes";

/**
 * Paired difference of a measure to the baseline, in its unit: same replicate, same channel states.
 */
export type DifferenceView = { 
/**
 * Mean of the differences, this run minus the baseline.
 */
mean: number, 
/**
 * 5th percentile over replicates.
 */
lo90: number, 
/**
 * 95th percentile over replicates.
 */
hi90: number, 
/**
 * 5th and 95th percentile of the difference in another run; null where it was not asked for.
 */
another: [number, number] | null, 
/**
 * Differences in the fast and in the slow mode, where the run or the baseline has two; `mean` then describes
 * no run. Absent else.
 */
modes?: [ModeView, ModeView], };

/**
 * Request: the decode tree of a frame.
 */
export type DissectRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Number of the frame, from 0.
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
 * Time of the frame, nanoseconds from the trace's epoch.
 */
at: number, 
/**
 * Name of the sniffer that observed it; in a Cooja log, of the mote that sent it.
 */
source: string, 
/**
 * Buffers of octets that fields refer to; the first is the frame as it is stored.
 */
buffers: Array<BufferView>, 
/**
 * Protocols and fields in preorder: parents before children.
 */
nodes: Array<NodeView>, 
/**
 * Number of the CoAP message that it carries, whole or in part, from 0; null: none.
 */
message: number | null, 
/**
 * Position of the hop of that message on which the frame is, from 1; null: it carries no message.
 */
hop: number | null, 
/**
 * Number of hops of that message that were seen; null: it carries none.
 */
hops: number | null, 
/**
 * Number of the exchange of that message; null: it is part of none.
 */
exchange: ExchangeId | null, 
/**
 * Comments on the frame in the file.
 */
comments: Array<string>, };

/**
 * Request: the completion times of runs of one capture.
 */
export type DistributionRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Numbers of the runs, all of that capture; empty: the recorded distribution is empty too.
 */
runs: Array<number>, 
/**
 * Greatest number of clients to list.
 */
clients: number, };

/**
 * Distribution of completion times, recorded and in runs. Exchanges that fail never complete, so that curves may
 * end below 1.
 */
export type DistributionView = { 
/**
 * Recorded distribution, as the run with the most times has it.
 */
recorded: CurveView, 
/**
 * Distributions of the runs, in the order asked for.
 */
runs: Array<RunCurves>, 
/**
 * Clients by the largest change of the mean completion time by any of the runs, greatest first.
 */
clients: Array<ClientEffect>, 
/**
 * Number of clients without the limit of the request.
 */
all_clients: number, };

/**
 * Shape of a dot.
 */
export type DotShape = "dot" | "cross" | "triangle" | "ring";

/**
 * Reason why a node of a simulation dropped a part of a message.
 */
export type DropKind = "nodes_unknown" | "withdrawn" | "no_route" | "hop_limit" | "queue_full" | "no_acknowledgement" | "channel_busy" | "no_cell" | "no_reassembly";

/**
 * Effect of the values found on one capture.
 */
export type EffectView = { 
/**
 * File name of the capture.
 */
capture: string, 
/**
 * SHA-256 of its file, lower-case hex.
 */
sha256: string, 
/**
 * The search did not use it.
 */
held_out: boolean, 
/**
 * Replayed part in words; null: all of the capture.
 */
part: string | null, 
/**
 * Measures with the start values, by name.
 */
before: { [key in string]: MetricView }, 
/**
 * Measures with the values found, by name.
 */
after: { [key in string]: MetricView }, 
/**
 * Differences by name of measure: found minus start, paired by replicate.
 */
difference: { [key in string]: DifferenceView }, };

/**
 * Fate of a message on its path.
 */
export type EndingKind = "arrived" | "not_received" | "incomplete" | "not_acknowledged" | "not_sent_on" | "dropped" | "unknown";

/**
 * Failure of a request.
 */
export type Error = { 
/**
 * Kind of failure, by which programs decide.
 */
code: Code, 
/**
 * Message for a person, in sentences: what failed, where, and the remedy.
 */
message: string, 
/**
 * Further lines for a person, such as one per mistake; null: none.
 */
detail: string | null, 
/**
 * Column of the mistake, from 1: in a filter expression in characters, in JSON text in octets; null where no place
 * is known.
 */
at: number | null, };

/**
 * An estimate with its standard error, both in the unit of the field that holds it.
 */
export type EstimateView = { 
/**
 * Most likely value, in the unit of the field.
 */
value: number, 
/**
 * Standard error, in the unit of the field; null where the copies do not bound the estimate.
 */
error: number | null, };

/**
 * Kind of event that the transport bar steps to.
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
 * Request: one exchange, recorded and under some runs.
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
 * Request: the position of an exchange in the exchange table, from 0; null where the table does not have it.
 */
export type ExchangeRowRequest = { 
/**
 * Selection and order of the table; its `offset` and `limit` are ignored.
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
 * Number of the run; null: as recorded.
 */
run: number | null, 
/**
 * Copies in order of sending; empty where the application did not send the exchange in the run.
 */
copies: Array<CopyView>, 
/**
 * Arrival of the reply that ended it, nanoseconds from the trace's epoch; null: no reply did.
 */
end: number | null, 
/**
 * Outcome of the exchange.
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
 * Number of the association that the exchange is of.
 */
association: AssociationId, 
/**
 * CoAP Message ID of the request (RFC 7252 §3).
 */
mid: number, 
/**
 * CoAP token, lower-case hex, two digits an octet, 0 to 8 octets.
 */
token: string, 
/**
 * CoAP method code: `0.03`.
 */
code: string, 
/**
 * Completeness of the beginning: whether the first copy here is the first that was sent.
 */
head: Head, 
/**
 * Time at which the application wanted to send it; null where it did not wait for another exchange.
 */
ready: MomentView | null, 
/**
 * Time at which the client armed the first copy's timer, before that copy was on the air.
 */
handed_over: MomentView, 
/**
 * Relations to other exchanges: transfers, observations, proxy pairs, events.
 */
related: Array<RelationView>, 
/**
 * Behaviours: first the recorded one, then the runs in the order asked for.
 */
sides: Array<ExchangeSide>, };

/**
 * Request: a page of the exchange table (Arrow, `ExchangeColumns`).
 */
export type ExchangesRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Window in which exchanges start, ends included, nanoseconds from the trace's epoch; null: all.
 */
window: [number, number] | null, 
/**
 * Number of the association whose exchanges are wanted; null: all.
 */
association: AssociationId | null, 
/**
 * Keep only exchanges with retransmissions.
 */
retransmitted: boolean, 
/**
 * Name of the column to sort by; null: by start.
 */
sort: string | null, 
/**
 * Sort the largest first.
 */
descending: boolean, 
/**
 * Position of the first row, from 0.
 */
offset: number, 
/**
 * Greatest number of rows.
 */
limit: number, };

/**
 * Request: write one file of a timer for a CoAP stack.
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
 * Path of the file to write; an existing one is replaced, unless the session has read it.
 */
path: string, };

/**
 * Request: write the rows of a packet list as CSV, with the columns and names that are shown.
 */
export type ExportPacketTableRequest = { 
/**
 * Packet list whose rows are written.
 */
list: FrameList, 
/**
 * Names of the columns, from the left ([`crate::view::PacketColumn::name`]).
 */
columns: Array<string>, 
/**
 * Rules of colour in force, whose names the column `rule` has.
 */
rules: Array<ColourRule>, 
/**
 * Names that the reader gave nodes.
 */
nodes: Array<SessionNode>, 
/**
 * Path of the file; an existing one is replaced, unless it is the capture itself.
 */
path: string, };

/**
 * Request: write the frames of a packet list as pcapng; of a list of messages, all frames that carried them.
 */
export type ExportPacketsRequest = { 
/**
 * Packet list whose frames are written.
 */
list: FrameList, 
/**
 * Path of the file; an existing one is replaced, unless it is the capture itself.
 */
path: string, };

/**
 * Request: write the packets that a run would have sent as pcapng, in its first replicate.
 */
export type ExportRunRequest = { 
/**
 * Number of the run, as `replay` gave it.
 */
run: number, 
/**
 * Content of the file.
 */
kind?: RunFileKind, 
/**
 * Path of the file; an existing one is replaced, unless it is the capture itself.
 */
path: string, };

/**
 * Numbers of packets in a written file.
 */
export type Exported = { 
/**
 * Path of the file.
 */
path: string, 
/**
 * Number of recorded frames.
 */
recorded: number, 
/**
 * Number of recorded frames left out: of copies and replies that would not have been there, or not then. Of a
 * file of simulated frames, number of those that no recorded frame gives octets. 0 for packet lists.
 */
left_out: number, 
/**
 * Number of synthetic copies of requests; of a file of simulated frames, of copies with a frame in it.
 */
copies: number, 
/**
 * Number of synthetic replies; of a file of simulated frames, of replies with a frame in it.
 */
replies: number, 
/**
 * Number of simulated frames, acknowledgements and other traffic among them.
 */
simulated: number, 
/**
 * Simulated frames that are left out, one sentence for each reason and hop.
 */
notes: Array<string>, };

/**
 * Numbers of copies by their fate; each copy is counted in exactly one.
 */
export type FateCounts = { 
/**
 * Number of answered copies that were not needless.
 */
answered: number, 
/**
 * Number of needless copies, of any fate.
 */
needless: number, 
/**
 * Number of copies that reached the server, but whose reply was lost.
 */
reply_lost: number, 
/**
 * Number of copies lost, on a known hop or somewhere on the way.
 */
lost: number, 
/**
 * Number of copies whose fate the capture does not show.
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
 * Field that filter expressions may name.
 */
export type FieldView = { 
/**
 * Name as written in an expression.
 */
name: string, 
/**
 * Form of the values it is compared with, in words: `a whole number such as …`.
 */
kind: string, 
/**
 * Meaning of the field.
 */
about: string, 
/**
 * Names that its values may have; empty: none.
 */
values: Array<string>, 
/**
 * Unit of its values in columns; null: none.
 */
unit: string | null, 
/**
 * Whether its values in columns are numbers, which stand to the right.
 */
numeric: boolean, };

/**
 * A capture of a figure, with its name and tags there.
 */
export type FigureCapture = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Name in the figure.
 */
name: string, 
/**
 * Values of tags by key: `nodes`, `load`, `topology`, `mac`, `preset`, and free keys.
 */
tags: { [key in string]: string }, 
/**
 * Clients that are replayed, and the time from which the figure measures; absent: all.
 */
part?: PartView, 
/**
 * Names that the reader gave nodes; places in it have no effect.
 */
nodes?: Array<SessionNode>, };

/**
 * Command line that writes the numbers of a figure again.
 */
export type FigureLine = { 
/**
 * Line for a POSIX shell, to be run beside the captures; null where no line says all of the request.
 */
command: string | null, 
/**
 * Files that have to lie beside the captures; or the reason why there is no line. A sentence each.
 */
notes: Array<string>, };

/**
 * Request: draw a figure.
 */
export type FigureRequest = { 
/**
 * Name of the recipe ([`RecipeSpec::id`]).
 */
recipe: string, 
/**
 * Captures, at most 64.
 */
captures: Array<FigureCapture>, 
/**
 * Algorithms to replay beside the recorded behaviour, at most 64.
 */
algorithms: Array<AlgorithmChoice>, 
/**
 * Values of switches that are not at their defaults, by name.
 */
params: Record<string, number | string | boolean>, 
/**
 * Channel model, which decides the fates of copies.
 */
channel: ChannelKind, 
/**
 * Workload model, which decides when applications would have sent.
 */
workload: WorkloadKind, 
/**
 * Seed of every random draw.
 */
seed: number, 
/**
 * Number of replicates, 1..=10000.
 */
replicates: number, 
/**
 * Other rules of the sender and the server.
 */
policy?: PolicyView, };

/**
 * A series: one behaviour of one group of captures.
 */
export type FigureSeries = { 
/**
 * Name for people: behaviour, and group where there are several.
 */
name: string, 
/**
 * Name of the behaviour alone.
 */
behaviour: string, 
/**
 * Name of the group of captures alone.
 */
captures: string, 
/**
 * Preset id of the algorithm; null for the recorded behaviour.
 */
algorithm: string | null, 
/**
 * Position in the list of all algorithms, from 0, which decides the colour; null for the recorded behaviour.
 */
order: number | null, 
/**
 * 0 for a preset as published; settings of one preset with other parameters count from 1. In figures of
 * studies the settings of one algorithm count from 0.
 */
variant: number, 
/**
 * Position of the group, from 0: the first is solid, others are fainter.
 */
group: number, 
/**
 * Hatched or dashed: a reading of an incomplete source (rank C).
 */
reading: boolean, };

/**
 * Numbers of a figure as a table.
 */
export type FigureTable = { 
/**
 * Headings of the columns.
 */
columns: Array<string>, 
/**
 * Columns of numbers: one entry per column, true where it has numbers.
 */
numeric: Array<boolean>, 
/**
 * Rows of cells, one cell per column, numbers with every digit; null where one does not apply.
 */
rows: Array<Array<string | null>>, };

/**
 * Request: write a figure's table to a file.
 */
export type FigureTableRequest = { 
/**
 * Figure whose table is written.
 */
figure: FigureRequest, 
/**
 * Format of the file: `csv`, `parquet`, `json`, `latex` or `markdown`.
 */
format: string, 
/**
 * Path of the file; an existing one is replaced, unless the session has read it.
 */
path: string, };

/**
 * A figure: series, panels, caption, table.
 */
export type FigureView = { 
/**
 * Name of the recipe.
 */
recipe: string, 
/**
 * Title of the figure, for people.
 */
title: string, 
/**
 * Series; marks name them by position, from 0.
 */
series: Array<FigureSeries>, 
/**
 * Panels (small multiples), in reading order.
 */
panels: Array<PanelView>, 
/**
 * Caption: captures, presets, settings, support, conventions; a sentence each.
 */
caption: Array<string>, 
/**
 * Unusual rules and parts of captures, as the caption has them, for files without a caption; absent where all
 * is as usual.
 */
settings?: string, 
/**
 * Data that the figure needs and these captures lack; a sentence each.
 */
missing: Array<string>, 
/**
 * Numbers of the figure.
 */
table: FigureTable, };

/**
 * A file of an open capture.
 */
export type FileView = { 
/**
 * File name without its folder.
 */
name: string, 
/**
 * Path on disk; null for a bundled sample and the standard input.
 */
path: string | null, 
/**
 * SHA-256 of the file's octets, lower-case hex.
 */
sha256: string, };

/**
 * Mistake in a filter expression.
 */
export type FilterMistake = { 
/**
 * Column, in characters, from 1.
 */
column: number, 
/**
 * Sentence for a person, which begins with the column.
 */
message: string, };

/**
 * Verdict on the two-state model of a channel.
 */
export type FitKind = "too_few" | "one_state" | "two_states" | "does_not_fit";

/**
 * Request: follow a file that grows, a capture that is being recorded or a radio log that a simulation appends to.
 * One file is followed at a time.
 */
export type FollowRequest = { 
/**
 * Path of the file, which need not exist yet; `-` is refused.
 */
path: string, 
/**
 * Decode options; null: the defaults of captures.
 */
decode: DecodeAs | null, 
/**
 * Number of the open capture that the followed one replaces; null: it becomes a new one.
 */
capture: number | null, };

/**
 * The file that is followed.
 */
export type FollowView = { 
/**
 * Path of the file.
 */
path: string, 
/**
 * Number of its capture; null until there was something to read.
 */
capture: number | null, };

/**
 * Place of a capture that a session file names.
 */
export type FoundCapture = { 
/**
 * Outcome of the search, of its files the worst one.
 */
state: FoundKind, 
/**
 * Paths of its files, in their order; null: not found. Empty for a bundled capture.
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
 * Packet list: a capture, the kind of its rows, and their selection.
 */
export type FrameList = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Kind of the rows.
 */
rows: RowKind, 
/**
 * Filter expression; blank: all rows.
 */
filter: string, 
/**
 * Window of the rows, nanoseconds from the trace's epoch; null: all.
 */
window: [number, number] | null, };

/**
 * A gap between two copies, beside the timeouts that an algorithm could have armed.
 */
export type Gap = { 
/**
 * Gap as the capture shows it.
 */
seen: number, 
/**
 * Shortest timeout that the algorithm could have drawn.
 */
shortest: number, 
/**
 * Longest timeout that the algorithm could have drawn.
 */
longest: number, };

/**
 * Group of checks of a network twin against its own capture.
 */
export type GateKindView = "self_replay" | "open_loop" | "patterns" | "senders" | "forwarding" | "halves";

/**
 * A gate: a group of checks of the network twin, counted.
 */
export type GateView = { 
/**
 * Kind of the gate.
 */
kind: GateKindView, 
/**
 * Name of the gate, for people.
 */
label: string, 
/**
 * Number of checks inside the twin's 90 % intervals.
 */
inside: number, 
/**
 * Number of all checks.
 */
many: number, 
/**
 * Number of checks inside that a right twin has on average.
 */
expected: number, 
/**
 * Share of recorded observations that the twin places elsewhere, 0 to 1; null where no shares are compared.
 */
misplaced: number | null, 
/**
 * Share that luck alone would place elsewhere, 0 to 1; null where no shares are compared.
 */
misplaced_by_chance: number | null, 
/**
 * The gate is closed: because of it the twin is not used.
 */
closed: boolean, 
/**
 * The gate in one sentence.
 */
about: string, };

/**
 * Prediction of the second half of a capture by a twin of the first half.
 */
export type HalvesView = { 
/**
 * Gate of the prediction, shares of the second half included; null where there is no such twin.
 */
gate: GateView | null, 
/**
 * Measures of the second half, recorded and predicted; empty where there is no such twin.
 */
checks: Array<TrustCheckView>, 
/**
 * Reason why there is no such twin; null where there is.
 */
refusal: string | null, };

/**
 * Completeness of the beginning of an exchange: is the first copy that was captured the first that was sent?
 */
export type Head = "seen" | "perhaps" | "missing";

/**
 * A measure of a prediction beside its measured value. Null where a value is not known.
 */
export type HeldView = { 
/**
 * Name of the measure, as on the command line.
 */
name: string, 
/**
 * Recorded value in the first capture, in the unit of the measure.
 */
before: number | null, 
/**
 * Predicted mean over replicates, in the unit of the measure; null also where the replicates have two modes.
 */
mean: number | null, 
/**
 * 5th percentile of another run, in that unit; of the recorded trace where no other run was predicted.
 */
lo90: number | null, 
/**
 * 95th percentile of another run, in that unit; of the recorded trace where no other run was predicted.
 */
hi90: number | null, 
/**
 * Recorded value in the second capture, in that unit.
 */
measured: number | null, 
/**
 * The measured value is inside the interval; null where either is missing.
 */
held: boolean | null, };

/**
 * Completion times of all exchanges of a host that were answered.
 */
export type HostView = { 
/**
 * Mean, nanoseconds; null where nothing was answered.
 */
completion: number | null, 
/**
 * 95th percentile, nanoseconds; null where nothing was answered.
 */
completion_p95: number | null, };

/**
 * Request: identify the algorithm that was running.
 */
export type IdentifyRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Numbers of the associations whose clients are examined; empty: all.
 */
associations: Array<AssociationId>, };

/**
 * Answer of `identify`: the algorithm that was running.
 */
export type IdentifyView = { 
/**
 * Ranking of all clients together, as if they ran the same algorithm.
 */
trace: RankingView, 
/**
 * Ranking of each client.
 */
clients: Array<RankingView>, 
/**
 * Estimated timeouts that ran out, in order of client and exchange.
 */
timeouts: Array<Timeout>, };

/**
 * Keep the predictions of runs, all of one capture.
 */
export type KeepPredictionRequest = { 
/**
 * Runs whose predictions are kept.
 */
runs: Array<number>, };

/**
 * Predictions of one replay as they were made, in the members of `rtoscope replay --format json` that a comparison
 * needs. Other members are left alone, so that later versions may add some.
 */
export type KeptPrediction = { 
/**
 * Capture that the predictions were made from.
 */
capture: PredictedCapture, 
/**
 * One for each predicted timer.
 */
runs: Array<PredictedRun>, 
/**
 * Conditions of that capture; null: not kept.
 */
conditions: ConditionsView | null, };

/**
 * Entry of a panel's key: a text with a dot or a line.
 */
export type KeyView = { 
/**
 * Meaning of the dot or line.
 */
text: string, 
/**
 * Shape of the dot; null: a line.
 */
dot: DotShape | null, 
/**
 * Look of the line; null: a dot.
 */
line: LineLook | null, };

/**
 * Evidence for a parameter of the network twin.
 */
export type KnownKind = "read" | "computed" | "inferred" | "preset";

/**
 * One copy of the exchange, with its transit.
 */
export type LadderCopy = { 
/**
 * Start of its first frame, in a run the time of sending; nanoseconds from the trace's epoch.
 */
sent: number, 
/**
 * Timer armed with it; null where nothing tells it.
 */
timer: TimerView | null, 
/**
 * Time on the air to the next copy, or to the closing reply, which the timer outlasts; nanoseconds. Null:
 * neither was seen, or a run.
 */
gap: number | null, 
/**
 * Wait before the air; null in a run, and where no log of the client tells it.
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
 * Round-trip time from this copy to the reply that answers it, nanoseconds; null where none does.
 */
rtt: number | null, 
/**
 * Needless: sent while an earlier copy is answered anyway.
 */
needless: boolean, 
/**
 * Reply that answers it: position in `replies`, from 0; null: none, or not known.
 */
reply: number | null, 
/**
 * Transit hop by hop; null where nothing was recorded or simulated: the fate is modelled, the path is not.
 */
transit: LadderTransit | null, 
/**
 * In a run, the recorded copy whose fate and hops it takes; null: its fate is modelled, its hops simulated if
 * any.
 */
like: LikeView | null, };

/**
 * A part of a message that a node of a simulation dropped.
 */
export type LadderDrop = { 
/**
 * Node: position in `nodes`, from 0.
 */
node: number, 
/**
 * Time of the drop, nanoseconds from the trace's epoch.
 */
at: number, 
/**
 * Reason for the drop.
 */
reason: DropKind, };

/**
 * One frame of a leg.
 */
export type LadderFrame = { 
/**
 * Number of the frame in the capture, from 0; null: it is simulated.
 */
frame: FrameId | null, 
/**
 * Position of the fragment in its datagram, from 0.
 */
fragment: number, 
/**
 * Number of times the fragment had been sent on this hop by then, from 1.
 */
attempt: number, 
/**
 * MAC sequence number, 0 to 255; null where the frame has none, and in a simulation.
 */
seq: number | null, 
/**
 * Start of the frame, nanoseconds from the trace's epoch.
 */
start: number, 
/**
 * End of its last octet, nanoseconds from the trace's epoch: at 32 µs an octet (250 kbit/s, IEEE 802.15.4-2020
 * table 12-1); equal to `start` where the rate is not known.
 */
end: number, 
/**
 * Delivery to the addressed node.
 */
delivery: Delivery, 
/**
 * Number of the frame that acknowledged it, from 0; null: none was captured, or it is simulated.
 */
ack: FrameId | null, 
/**
 * End of the acknowledgement that its sender had, nanoseconds from the trace's epoch; null without one.
 */
acked: number | null, };

/**
 * One message on one hop.
 */
export type LadderLeg = { 
/**
 * Sending node: position in `nodes`, from 0.
 */
from: number, 
/**
 * Addressed node: position in `nodes`, from 0.
 */
to: number, 
/**
 * Start of the first frame, nanoseconds from the trace's epoch.
 */
sent: number, 
/**
 * End of the frame that completed the message at `to`, nanoseconds from the trace's epoch; null: not all of it
 * went on the air. In a simulation the moment at which `to` had all of it; null: it never had.
 */
arrived: number | null, 
/**
 * Whether the message arrived at `to`, as far as the capture shows it.
 */
delivery: Delivery, 
/**
 * Number of fragments seen; 1 for a datagram in one frame.
 */
fragments: number, 
/**
 * Time from the start of the first frame to the end of the last acknowledgement needed, nanoseconds; null: not
 * all acknowledged.
 */
mac_delay: number | null, 
/**
 * The message had been sent on this link before.
 */
duplicate: boolean, 
/**
 * Hop limit of its IPv6 header on this hop, 0 to 255 (RFC 8200 §3); null in a simulation.
 */
hop_limit: number | null, 
/**
 * Frames of this hop, in the order of the capture.
 */
frames: Array<LadderFrame>, };

/**
 * A node on the path of an exchange.
 */
export type LadderNode = { 
/**
 * Name of the node, for people.
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
 * One reply to the exchange, with its transit.
 */
export type LadderReply = { 
/**
 * Form of the reply.
 */
form: ReplyKind, 
/**
 * Start of its first frame seen, nanoseconds from the trace's epoch.
 */
sent: number, 
/**
 * Time of arrival at the client, nanoseconds from the trace's epoch; null: none, or the capture cannot tell.
 */
arrived: number | null, 
/**
 * Number of the copy it answers, from 0; null: not known.
 */
answers: number | null, 
/**
 * Evidence of the reply matching.
 */
evidence: Evidence, 
/**
 * True for the reply that ended the exchange.
 */
closing: boolean, 
/**
 * Transit hop by hop.
 */
transit: LadderTransit, };

/**
 * Request: one exchange hop by hop, recorded and under some runs.
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
 * One exchange hop by hop under one behaviour.
 */
export type LadderSide = { 
/**
 * Number of the run; null: as recorded.
 */
run: number | null, 
/**
 * Replicate whose hops the copies of a run have; null: recorded hops, or none.
 */
simulated: SimulatedView | null, 
/**
 * Copies in order of sending; empty where the application did not send the exchange in the run.
 */
copies: Array<LadderCopy>, 
/**
 * Replies in the order of sending; of a run, those of recorded and of simulated copies only.
 */
replies: Array<LadderReply>, 
/**
 * Arrival of the reply that ended the exchange, nanoseconds from the trace's epoch; null: no reply did.
 */
end: number | null, 
/**
 * Outcome of the exchange.
 */
outcome: OutcomeKind, };

/**
 * Transit of one message over its hops.
 */
export type LadderTransit = { 
/**
 * Number of the message in the trace, from 0; null: it is simulated.
 */
message: number | null, 
/**
 * Hops of the message, in order of their beginning.
 */
legs: Array<LadderLeg>, 
/**
 * Stays of the message in nodes between its hops.
 */
waits: Array<LadderWait>, 
/**
 * Parts of it that nodes dropped, in order of time; of a simulation only.
 */
drops: Array<LadderDrop>, 
/**
 * Fate of the message.
 */
ending: EndingKind, 
/**
 * Evidence of the fate.
 */
evidence: Evidence, 
/**
 * Leg on which it died or was last seen: position in `legs`, from 0; null: it arrived, or was never seen.
 */
leg: number | null, 
/**
 * Time of arrival at its destination, nanoseconds from the trace's epoch; null where that was not seen.
 */
at: number | null, };

/**
 * One exchange hop by hop, recorded and under the runs asked for.
 */
export type LadderView = { 
/**
 * Number of the exchange.
 */
exchange: ExchangeId, 
/**
 * Number of the association that the exchange is of.
 */
association: AssociationId, 
/**
 * CoAP Message ID of the request (RFC 7252 §3).
 */
mid: number, 
/**
 * CoAP token, lower-case hex, two digits an octet, 0 to 8 octets.
 */
token: string, 
/**
 * CoAP method code: `0.03`.
 */
code: string, 
/**
 * Vantage of the association.
 */
vantage: VantageKind, 
/**
 * Position among the exchanges of its association, from 0.
 */
place: number, 
/**
 * Number of exchanges of the association.
 */
of: number, 
/**
 * Number of the exchange before it there; null: it is the first.
 */
previous: ExchangeId | null, 
/**
 * Number of the exchange after it there; null: it is the last.
 */
next: ExchangeId | null, 
/**
 * Nodes of the path, from the client to the server.
 */
nodes: Array<LadderNode>, 
/**
 * Behaviours: first the recorded one, then the runs in the order asked for.
 */
sides: Array<LadderSide>, };

/**
 * Stay of a message in a node, between its arrival and the first frame that took it on.
 */
export type LadderWait = { 
/**
 * Node: position in `nodes`, from 0.
 */
node: number, 
/**
 * Time of arrival, nanoseconds from the trace's epoch.
 */
from: number, 
/**
 * Start of the first frame that took it on, nanoseconds from the trace's epoch.
 */
until: number, 
/**
 * Reason for the wait.
 */
kind: WaitKind, };

/**
 * Request: completion times of hosts under some behaviours.
 */
export type LaneHostsRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Behaviours, in the order of the reply: numbers of runs, null for the recorded one.
 */
runs: Array<number | null>, 
/**
 * Hosts, as in [`LanesRequest::hosts`].
 */
hosts: Array<AssociationId>, };

/**
 * Level of detail of lanes. The number in the `level` column is the position here.
 */
export type LaneLevel = "columns" | "spans" | "single";

/**
 * Order of the lanes of *Timeline*; equal ones stand by name.
 */
export type LaneOrder = "name" | "needless" | "lost" | "copies" | "completion";

/**
 * Request: the marks of the lanes of some behaviours in a window (Arrow, `LaneColumns`).
 */
export type LanesRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Behaviours, in the order of the reply: numbers of runs, null for the recorded one.
 */
runs: Array<number | null>, 
/**
 * Window start, nanoseconds from the trace's epoch.
 */
t0: number, 
/**
 * Window end, nanoseconds from the trace's epoch.
 */
t1: number, 
/**
 * Width of the window in pixels: where copies stand closer than 6 px, all lanes become columns of 4 px.
 */
px: number, 
/**
 * Numbers of the associations whose lanes are wanted; null: all.
 */
lanes: Array<AssociationId> | null, 
/**
 * Hosts whose associations are wanted merged in one lane too, each by the number of any of its associations:
 * all whose clients have the address of that client. The lane of host n, from 0, is 2^16 - 2 - n.
 */
hosts?: Array<AssociationId>, };

/**
 * Layer of processing at which an event was noticed.
 */
export type Layer = "file" | "clock" | "link" | "lowpan" | "ipv6" | "udp" | "coap" | "exchange" | "replay";

/**
 * Recorded copy whose fate and hops a copy of a run takes.
 */
export type LikeView = { 
/**
 * Number of its exchange.
 */
exchange: ExchangeId, 
/**
 * Number of the copy in that exchange, from 0.
 */
copy: number, 
/**
 * Delay of the counterfactual copy against the recorded one, nanoseconds, by which its transit is moved;
 * negative: it is earlier.
 */
shift: number, };

/**
 * Dash pattern of a line. Lines of one series differ by it.
 */
export type LineLook = "series" | "step" | "ink" | "ink_dashed" | "thin";

/**
 * Link-layer losses of one direction between two nodes, broadcasts apart.
 */
export type LinkConditions = { 
/**
 * Name of the sender for people.
 */
from: string, 
/**
 * Name of the addressee for people.
 */
to: string, 
/**
 * Number of frames that asked for an acknowledgement, every attempt counted.
 */
frames: number, 
/**
 * Number of acknowledged frames among `frames`.
 */
acknowledged: number, };

/**
 * Attempt patterns of packets of exchanges on one link.
 */
export type LinkPatternsView = { 
/**
 * Name of the sender for people.
 */
from: string, 
/**
 * Name of the addressee for people.
 */
to: string, 
/**
 * Number of packets recorded.
 */
packets: number, 
/**
 * Shares of the patterns, each written in attempts: `A` was acknowledged, `.` was not. An empty pattern stands
 * for all others.
 */
patterns: Array<ShareCheckView>, };

/**
 * Request: send a device of the recording to another channel.
 */
export type LiveChannelRequest = { 
/**
 * Position of the device in [`LiveStartRequest::devices`], from 0; others are ignored.
 */
device: number, 
/**
 * Channel number of IEEE 802.15.4 at 2.4 GHz, 11 to 26.
 */
channel: number, };

/**
 * Condition of a device of a recording.
 */
export type LiveCondition = "opening" | "listening" | "gone" | "ended";

/**
 * A device that is plugged in.
 */
export type LiveDevice = { 
/**
 * Text that opens it, for [`LivePlan::device`].
 */
device: string, 
/**
 * Name that the device gives itself.
 */
name: string, 
/**
 * Known to be a sniffer; a serial line may have anything at its end.
 */
is_sniffer: boolean, };

/**
 * Condition and counters of a device of the recording; counts are whole numbers since its beginning.
 */
export type LiveDeviceView = { 
/**
 * Text that opens the device, as [`LivePlan::device`].
 */
device: string, 
/**
 * Condition of the device.
 */
condition: LiveCondition, 
/**
 * Reason why it is not listened to; empty where it is.
 */
why: string, 
/**
 * Channel number, 11 to 26; null for a device without channels.
 */
channel: number | null, 
/**
 * Number of frames heard.
 */
frames: number, 
/**
 * Number of frames in the last second.
 */
rate: number, 
/**
 * Number of frames that the device heard and dropped.
 */
dropped: number, 
/**
 * Number of frames that the device sent and that did not arrive.
 */
lost: number, 
/**
 * Number of messages with a wrong check sequence, or of no known shape.
 */
damaged: number, 
/**
 * Number of octets that belong to no message.
 */
garbage: number, 
/**
 * Number of times the device went and came back.
 */
gaps: number, 
/**
 * Number of times it fell silent though it should have spoken.
 */
stalls: number, };

/**
 * One device of a recording, and its channel.
 */
export type LivePlan = { 
/**
 * Text that opens the device: [`LiveDevice::device`], or any other that `rtoscope capture --device` takes.
 */
device: string, 
/**
 * Channel number of IEEE 802.15.4 at 2.4 GHz, 11 to 26, also for devices without channels, which ignore it.
 */
channel: number, };

/**
 * Request: begin to record. There is one recording at a time; a second one is refused.
 */
export type LiveStartRequest = { 
/**
 * Devices, at least one.
 */
devices: Array<LivePlan>, 
/**
 * Path of the file to write. An existing file is not replaced: the request is then refused.
 */
path: string, };

/**
 * State of the recording.
 */
export type LiveView = { 
/**
 * Path of the file.
 */
path: string, 
/**
 * The recording goes on.
 */
is_running: boolean, 
/**
 * Reason why it ended, where that needs attention; else empty.
 */
trouble: string, 
/**
 * Number of frames on the disk.
 */
frames: number, 
/**
 * Size of the file, octets.
 */
octets: number, 
/**
 * Number of frames that came and that the disk did not take.
 */
unwritten: number, 
/**
 * Devices, in the order of the request.
 */
devices: Array<LiveDeviceView>, 
/**
 * Number of the capture that shows it; null until `live_refresh` was called.
 */
capture: number | null, };

/**
 * First copies that met a similar load.
 */
export type LoadStepView = { 
/**
 * Mean load that they met, in copies under way.
 */
load: number, 
/**
 * Number of first copies in this step.
 */
copies: number, 
/**
 * Share of them that was lost, 0 to 1.
 */
lost: number, 
/**
 * Share that the fitted response predicts, 0 to 1.
 */
fitted: number, };

/**
 * Response of losses and round trips to load.
 */
export type LoadView = { 
/**
 * Rise of the logit of a loss per copy of mean airtime under way.
 */
loss: EstimateView, 
/**
 * Lengthening of a round trip per copy under way, seconds.
 */
rtt: EstimateView, 
/**
 * Mean load that a first copy met, in copies under way.
 */
mean: number, 
/**
 * Least and greatest load that first copies met, in copies under way.
 */
range: [number, number], 
/**
 * Standard deviation of the load within path and stretch, in copies under way (a count): the variation that
 * the fit can learn from.
 */
deviation: number, 
/**
 * Number of first copies that the response was fitted to.
 */
copies: number, 
/**
 * Number of lost copies among `copies`.
 */
lost: number, 
/**
 * Mean airtime of a copy and its reply, over all hops and retries, nanoseconds.
 */
airtime: number, 
/**
 * Greatest number of paths that hear each other.
 */
neighbours: number, 
/**
 * Losses by load: fifths of the first copies, from least to greatest load.
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
 * Something drawn in a panel, in units of its axes. Positions of series count from 0; slot `slot`, from 0, of `slots`
 * equal ones shares the width of a category.
 */
export type MarkView = { "mark": "box", 
/**
 * Series: position in [`FigureView::series`].
 */
series: number, 
/**
 * Position of the category on the horizontal axis, from 0.
 */
x: number, 
/**
 * Slot in the category, from 0.
 */
slot: number, 
/**
 * Number of slots in the category.
 */
slots: number, 
/**
 * Number of values behind the box.
 */
n: number, 
/**
 * Lower whisker, lower end of the box, median, upper end of the box, upper whisker, in the unit of the axis.
 */
five: [number, number, number, number, number], 
/**
 * Values beyond the whiskers, in the unit of the axis, at most 200 of them, evenly chosen.
 */
outliers: Array<number>, 
/**
 * Letters written above; null: none.
 */
label: string | null, } | { "mark": "bar", 
/**
 * Series: position in [`FigureView::series`].
 */
series: number, 
/**
 * Position of the category on the horizontal axis, from 0.
 */
x: number, 
/**
 * Slot in the category, from 0.
 */
slot: number, 
/**
 * Number of slots in the category.
 */
slots: number, 
/**
 * Value at which the bar ends, in the unit of the axis.
 */
value: number, 
/**
 * Lower and upper end of the interval of the value, in its unit; null: none.
 */
interval: [number, number] | null, 
/**
 * Greatest single value, in the unit of the axis, drawn as a hollow square; null: none.
 */
most: number | null, 
/**
 * Text written at its end; null: none.
 */
label: string | null, } | { "mark": "line", 
/**
 * Series: position in [`FigureView::series`].
 */
series: number, 
/**
 * Points as x and y, in drawing order, in the units of the axes.
 */
points: Array<[number, number]>, 
/**
 * Band as lower and upper end at each point, in the unit of the vertical axis; empty: none.
 */
band: Array<[number, number]>, 
/**
 * Look of the line.
 */
look: LineLook, 
/**
 * Drawn on the second vertical axis.
 */
right: boolean, 
/**
 * Drawn with the marker of its series at each point.
 */
markers: boolean, 
/**
 * Letters written at each point; absent or empty: none.
 */
labels?: Array<string>, } | { "mark": "dots", 
/**
 * Series: position in [`FigureView::series`].
 */
series: number, 
/**
 * Points as x and y, in the units of the axes.
 */
points: Array<[number, number]>, 
/**
 * Shape of the dots.
 */
shape: DotShape, } | { "mark": "point", 
/**
 * Series: position in [`FigureView::series`].
 */
series: number, 
/**
 * Position as x and y.
 */
at: [number, number], 
/**
 * Lower and upper end of the interval of x, in the unit of its axis; null: none.
 */
across: [number, number] | null, 
/**
 * Lower and upper end of the interval of y, in the unit of its axis; null: none.
 */
along: [number, number] | null, } | { "mark": "cell", 
/**
 * Series whose colour it has: position in [`FigureView::series`].
 */
series: number, 
/**
 * Position of the category on the horizontal axis, from 0.
 */
x: number, 
/**
 * Position of the category on the vertical axis, from 0.
 */
y: number, 
/**
 * Strength of the colour, 0 to 1.
 */
fill: number, 
/**
 * Text written in it.
 */
label: string, } | { "mark": "rule", 
/**
 * Position of an upright line; null: a level one.
 */
x: number | null, 
/**
 * Position of a level line; null: an upright one.
 */
y: number | null, 
/**
 * Text written at it.
 */
label: string, };

/**
 * Request: real runs of the network of a capture.
 */
export type MeasuredRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Predicted timers, to be compared with those that ran.
 */
algorithms: Array<AlgorithmChoice>, };

/**
 * A real run of the same network, with the same clients and servers.
 */
export type MeasuredRun = { 
/**
 * Name of the run for people.
 */
name: string, 
/**
 * Number of its capture; null where that is not open.
 */
capture: number | null, 
/**
 * Timer that ran; null where it is not known.
 */
algorithm: AlgorithmChoice | null, 
/**
 * Evidence for the timer.
 */
known: TimerKnown, 
/**
 * Positions, from 0, of the predicted timers that are this one, with all its parameters; of an identified one,
 * those that
 * `identify` does not tell apart.
 */
same: Array<number>, 
/**
 * Positions, from 0, of other predicted timers of the same algorithm group.
 */
alike: Array<number>, 
/**
 * Measured values by name of measure, in the units of [`crate::view::MetricSpec::unit`]; those that apply.
 */
metrics: { [key in string]: number }, };

/**
 * Search method.
 */
export type MethodKind = "nelder_mead" | "swarm";

/**
 * Name, heading and unit of a measure.
 */
export type MetricSpec = { 
/**
 * Name, as on the command line.
 */
name: string, 
/**
 * Heading of the measure, for people.
 */
label: string, 
/**
 * Second line of the heading: the definition in short.
 */
rule: string, 
/**
 * Unit: `s`, `fraction` (0 to 1), `count`, `1/s`, `octet/s`, `×` (a ratio); empty for a plain number.
 */
unit: string, 
/**
 * Smaller values are better.
 */
smaller_is_better: boolean, 
/**
 * Compare shows it by default.
 */
headline: boolean, };

/**
 * One measure of one run, in the unit of [`MetricSpec::unit`]. Null where it does not apply.
 */
export type MetricView = { 
/**
 * Value in the trace itself; an expectation where it rests on fates that the capture leaves open.
 */
recorded: number | null, 
/**
 * Least and greatest value that these fates allow; absent where all are known, and of a part of the capture.
 */
recorded_range?: [number, number], 
/**
 * Model-free bound on the worse side of this measure; null where bounds were not asked for or do not hold.
 */
worst: number | null, 
/**
 * Model-free bound on the better side of this measure; null where bounds were not asked for or do not hold.
 */
best: number | null, 
/**
 * Mean over replicates; null where they have two modes, and without a channel model.
 */
mean: number | null, 
/**
 * 5th percentile over replicates: the recorded trace, with its luck, under the timer.
 */
lo90: number | null, 
/**
 * 95th percentile over replicates, likewise.
 */
hi90: number | null, 
/**
 * 5th and 95th percentile of another run under the same channel statistics, with luck of its own; null where
 * it was not asked for.
 */
another: [number, number] | null, 
/**
 * Values in the replicates that end fast, then in those that collapse; absent for a run with one mode.
 */
modes?: [ModeView, ModeView], 
/**
 * Support: share of copies whose fate was recorded, 0 to 1.
 */
support: number | null, };

/**
 * One of two modes of a measure, in its unit.
 */
export type ModeView = { 
/**
 * Mean over the replicates of the mode.
 */
mean: number, 
/**
 * 5th percentile over the replicates of the mode.
 */
lo90: number, 
/**
 * 95th percentile over the replicates of the mode.
 */
hi90: number, 
/**
 * 5th and 95th percentile over other runs that end in this mode; null where there are none.
 */
another: [number, number] | null, };

/**
 * Two modes of a run: some replicates end fast, the others collapse. A mean over both describes neither.
 */
export type ModesView = { 
/**
 * Share of the replicates that collapse, 0 to 1: P(collapse).
 */
slow: number, 
/**
 * Lower end of its 90 % interval, 0 to 1.
 */
lo90: number, 
/**
 * Upper end of its 90 % interval, 0 to 1.
 */
hi90: number, 
/**
 * Mean completion time of a replicate that parts the two, seconds.
 */
boundary: number, };

/**
 * An estimated moment that no frame shows.
 */
export type MomentView = { 
/**
 * Estimated time, nanoseconds from the trace's epoch.
 */
at: number, 
/**
 * Greatest error of the time to either side, nanoseconds.
 */
error: number, };

/**
 * Log of the motes of a simulation, found beside its capture.
 */
export type MoteLogView = { 
/**
 * File name without its folder.
 */
name: string, 
/**
 * Number of lines that motes printed.
 */
lines: number, 
/**
 * Number of recognised events of CoAP clients and servers among these.
 */
events: number, };

/**
 * Request: the navigator's density columns (Arrow, `NavigatorColumns`).
 */
export type NavigatorRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Number of equal time bins over the whole capture, 1..=4096; clamped to that range.
 */
bins: number, };

/**
 * A link: one direction between two nodes, broadcasts apart.
 */
export type NetworkLink = { 
/**
 * Sender: position in [`NetworkView::nodes`], from 0.
 */
from: number, 
/**
 * Addressee: position in [`NetworkView::nodes`], from 0.
 */
to: number, 
/**
 * Number of frames, every attempt counted; off 802.15.4 number of messages.
 */
frames: number, 
/**
 * Number of distinct frames: a frame with its link-layer retries counts as one.
 */
unique: number, 
/**
 * Share of acknowledged frames among those that asked for an acknowledgement.
 */
acked: ShareView, 
/**
 * Share of lost frames among those of which it is known.
 */
lost: ShareView, 
/**
 * Evidence for the losses.
 */
evidence: LossEvidence, 
/**
 * Share of distinct frames that arrived among those of which it is known.
 */
delivered: ShareView, 
/**
 * Attempts for one delivery, at least 1 (ETX, De Couto et al. 2003, counted on the data); null without a
 * delivery.
 */
attempts: number | null, 
/**
 * Median time from the first attempt's start to the end of the one that arrived, seconds; null where none did.
 */
delay_p50: number | null, 
/**
 * 95th percentile of that time, nearest rank, seconds; null where none did.
 */
delay_p95: number | null, 
/**
 * Air time of the frames, seconds.
 */
airtime: number, 
/**
 * Number of CoAP messages over this hop, each once.
 */
messages: number, 
/**
 * Number of copies of confirmable requests among the messages.
 */
copies: number, 
/**
 * Number of needless copies among the messages.
 */
needless: number, 
/**
 * Signal strength of the frames at the sniffer, dBm; null: the capture does not say.
 */
rssi: Spread | null, 
/**
 * Link quality (LQI) of the frames at the sniffer, 0 to 255 in IEEE 802.15.4; null: the capture does not say.
 */
lqi: Spread | null, 
/**
 * Filter expression of the packet list for its frames.
 */
filter: string, };

/**
 * Request: the load of links and nodes in a window (Arrow, `NetworkLoadColumns`).
 */
export type NetworkLoadRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Window start, nanoseconds from the trace's epoch.
 */
t0: number, 
/**
 * Window end, nanoseconds from the trace's epoch.
 */
t1: number, 
/**
 * Run through the network twin whose simulated frames are counted; null: those of the capture.
 */
run: number | null, };

/**
 * A node of the network.
 */
export type NetworkNode = { 
/**
 * Name of the node, for people.
 */
name: string, 
/**
 * Role in the network.
 */
role: NodeRole, 
/**
 * Addressed, but never heard.
 */
silent: boolean, 
/**
 * Link-layer addresses of the node.
 */
macs: Array<string>, 
/**
 * IP addresses of the node; those of IPv4 in dotted form.
 */
addresses: Array<string>, 
/**
 * Numbers of the associations whose client the node is.
 */
client_of: Array<AssociationId>, 
/**
 * Numbers of the associations whose server the node is.
 */
server_of: Array<AssociationId>, 
/**
 * Number of frames that the node sent, retries and broadcasts included.
 */
frames: number, 
/**
 * Number of broadcasts that the node sent.
 */
broadcasts: number, 
/**
 * Air time of the frames that the node sent, seconds.
 */
airtime: number, 
/**
 * RPL rank that it last announced, in units of its DODAG (RFC 6550 §3.5); null: none, or infinite.
 */
rank: number | null, 
/**
 * RPL parents in order of time, changes only.
 */
parents: Array<ParentView>, 
/**
 * Evidence for the parents; null without any.
 */
parents_by: ParentEvidence | null, 
/**
 * Node above it in the tree that is drawn: position in [`NetworkView::nodes`], from 0; null at a top.
 */
above: number | null, 
/**
 * Filter expression of the packet list for frames that it sent or was sent.
 */
filter: string, };

/**
 * Request: load and loss over time (Arrow, `NetworkSeriesColumns`), of all links, of one link, or around one node.
 */
export type NetworkSeriesRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Window start, nanoseconds from the trace's epoch.
 */
t0: number, 
/**
 * Window end, nanoseconds from the trace's epoch.
 */
t1: number, 
/**
 * Number of equal parts of the window, 1..=4096; clamped to that range.
 */
bins: number, 
/**
 * Only this link: position in [`NetworkView::links`], from 0; not with `node`.
 */
link: number | null, 
/**
 * Only the neighbourhood and the links of this node: position in [`NetworkView::nodes`], from 0; not with
 * `link`.
 */
node: number | null, 
/**
 * Run through the network twin whose simulated frames are counted; null: those of the capture.
 */
run: number | null, };

/**
 * Network of a capture: nodes, links, channels.
 */
export type NetworkView = { 
/**
 * Nodes; requests and links name them by position, from 0.
 */
nodes: Array<NetworkNode>, 
/**
 * Links, sorted by sender and addressee.
 */
links: Array<NetworkLink>, 
/**
 * Radio channels of 802.15.4; empty off it.
 */
channels: Array<ChannelView>, 
/**
 * Mode of operation of RPL (RFC 6550 §6.3.1): 0 no downward routes, 1 non-storing, 2 and 3 storing; null: not
 * announced.
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
 * Request: the nodes of a list: a simulation of Cooja, rows of `node,x,y[,name]`, or hosts.
 */
export type NodeListRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Path of the list.
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
 * Depth in the tree: 0 for a protocol, one more than its parent's for a field.
 */
depth: number, 
/**
 * Name in filter expressions.
 */
name: string, 
/**
 * Name and value for people.
 */
label: string, 
/**
 * Section of the standard that defines it: `RFC 7252 §3`; null: none is known.
 */
source: string | null, 
/**
 * Value as a literal of filter expressions; null: nothing to compare with.
 */
value: string | null, 
/**
 * Buffer of its octets: position in [`DissectView::buffers`], from 0.
 */
buffer: number, 
/**
 * Position of its first octet in the buffer, from 0.
 */
start: number, 
/**
 * Position after its last octet; equal to `start` for a field without octets of its own.
 */
end: number, 
/**
 * Severity of the finding: `warning` (against a standard, or not understood) or `remark`; null without one.
 */
severity: Severity | null, 
/**
 * Finding about this field in words; null: none.
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
 * Number of times that it occurred.
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
 * Text of the first one, with escapes for what is not printable ([`printable`]).
 */
first_text: string, };

/**
 * An alert that goes on.
 */
export type OpenAlertView = { 
/**
 * Name of the client; null: all clients together.
 */
client: string | null, 
/**
 * Time at which it began; null while the capture is not open.
 */
since: number | null, };

/**
 * Request: open a capture, by exactly one of `path`, `sample` and `merge`.
 */
export type OpenRequest = { 
/**
 * Path of a file; null with one of the others.
 */
path: string | null, 
/**
 * Identifier of a bundled capture ([`Sample::id`]); null with one of the others.
 */
sample: string | null, 
/**
 * Paths of two or more captures of one network, to be joined on one clock; null with one of the others.
 */
merge: Array<string> | null, 
/**
 * Decode options; null: as the file states them.
 */
decode: DecodeAs | null, };

/**
 * Request: search for parameters that improve a measure.
 */
export type OptimiseRequest = { 
/**
 * Number of the capture to search on.
 */
capture: number, 
/**
 * Clients that change timers, and the time from which they do; absent: all.
 */
part?: PartView, 
/**
 * Number of the capture to check on; null: none is held out.
 */
hold_out: number | null, 
/**
 * Part of the capture to check on, as `part`.
 */
hold_out_part?: PartView, 
/**
 * Algorithm to start from, with its values.
 */
algorithm: AlgorithmChoice, 
/**
 * Names of the numeric parameters to search, at least one.
 */
over: Array<string>, 
/**
 * Name of the measure to improve; `completion` and `retransmissions` are `duration_mean` and `retries_mean`.
 */
objective: string, 
/**
 * Method of the search.
 */
method: MethodKind, 
/**
 * Greatest number of evaluations of the objective, 1 to 100,000; a replay of all replicates each.
 */
evaluations: number, 
/**
 * Channel model; [`ChannelKind::Recorded`] is refused.
 */
channel: ChannelKind, 
/**
 * Workload model, which decides when applications would have sent.
 */
workload: WorkloadKind, 
/**
 * Seed of every draw: of the channel and of the swarm.
 */
seed: number, 
/**
 * Number of replicates, 1..=10000.
 */
replicates: number, 
/**
 * Other rules of the sender and the server.
 */
policy?: PolicyView, };

/**
 * Result of a search.
 */
export type OptimisedView = { 
/**
 * Preset id of the algorithm.
 */
algorithm: string, 
/**
 * Name of the measure.
 */
objective: string, 
/**
 * A smaller value of it is better.
 */
smaller_is_better: boolean, 
/**
 * Method of the search.
 */
method: MethodKind, 
/**
 * Number of evaluations of the objective that the search made.
 */
evaluations: number, 
/**
 * Start values by name of parameter, in its natural unit.
 */
before: Record<string, number | string | boolean>, 
/**
 * Values found by name of parameter, rounded to 4 significant digits; the start values where nothing better
 * was found.
 */
after: Record<string, number | string | boolean>, 
/**
 * Effect on the capture of the search, then on the held-out one.
 */
effects: Array<EffectView>, 
/**
 * Verdict of the held-out capture on the values found.
 */
check: CheckKind, 
/**
 * Names of those measures of [`PRICE`] that surely became worse on the capture of the search: the 90 %
 * interval of the difference excludes zero.
 */
worse: Array<string>, 
/**
 * Preset file (TOML) with these values, for [`crate::Session::presets`].
 */
preset: string, };

/**
 * Outcome of an exchange. The number in an `outcome` column is the position here.
 */
export type OutcomeKind = "acked" | "separate" | "reset" | "abandoned" | "open";

/**
 * Request: the expected course of an exchange on a path of constant round trip and independent losses.
 */
export type OutlookRequest = { 
/**
 * Algorithm, with the parameters that differ from its preset's.
 */
algorithm: AlgorithmChoice, 
/**
 * Round trip of every answered copy, seconds: above 0, at most 247 (EXCHANGE_LIFETIME, RFC 7252 §4.8.2).
 */
rtt: number, 
/**
 * Probability that a copy or its reply is lost, 0 to 1.
 */
loss: number, };

/**
 * Reply: expected course of one exchange, means over the dither ([`rto::model::outlook`]).
 */
export type OutlookView = { 
/**
 * The estimator arms the same timeouts exchange after exchange.
 */
settled: boolean, 
/**
 * Timeout of each copy in order of sending, seconds; the last one even where the sender does not wait for it.
 */
timeouts: Array<number>, 
/**
 * Time of giving up, seconds from the first transmission: least, mean, greatest over the dither.
 */
give_up: [number, number, number], 
/**
 * Probability that a reply comes before the sender gives up, 0 to 1.
 */
success: number, 
/**
 * Mean time from the first transmission to the first reply of successful exchanges, seconds; null without any.
 */
completion: number | null, 
/**
 * Mean number of copies of an exchange, the first transmission included.
 */
copies: number, 
/**
 * Mean number of copies of an exchange sent although one before is answered.
 */
needless: number, };

/**
 * A calibration table of one's own, with a check that was added.
 */
export type OwnCalibrationView = { 
/**
 * Path of the CSV file.
 */
path: string, 
/**
 * Number of checks in it: pairs of captures with a predicted timer and a channel.
 */
checks: number, 
/**
 * The check is new; false: the table had it.
 */
added: boolean, 
/**
 * Coverage by measure, in display order.
 */
measures: Array<OwnCoverage>, 
/**
 * The table in one sentence.
 */
said: string, };

/**
 * Coverage of the intervals of one measure.
 */
export type OwnCoverage = { 
/**
 * Name, as in the command line.
 */
name: string, 
/**
 * Number of checks with an interval and a measured value.
 */
compared: number, 
/**
 * Number of these checks with the measured value inside the interval.
 */
held: number, 
/**
 * Lower end of the 90 % interval (Wilson) of the share that holds, 0 to 1.
 */
lo90: number, 
/**
 * Upper end of that interval, 0 to 1.
 */
hi90: number, };

/**
 * Column of packet lists.
 */
export type PacketColumn = { 
/**
 * Name: of a column that every list can have (`frame`, `time`, `kind`, `src`, `dst`, `hop`, `protocol`,
 * `length`, `info`, `rule`), or of a field of filters.
 */
name: string, 
/**
 * Width, px; null: that of its kind.
 */
width: number | null, };

/**
 * Number of rows of a packet list.
 */
export type PacketCount = { 
/**
 * Number of rows that pass filter and window.
 */
count: number, 
/**
 * Number of rows without filter and window.
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
 * Position in the list, from 0.
 */
row: number, 
/**
 * Number of its frame in the capture, from 0.
 */
frame: FrameId, };

/**
 * Request: the first row at or after a place, which is exactly one of `frame`, `exchange` (its first frame) and
 * `at`.
 */
export type PacketRowRequest = { 
/**
 * The list that the rows are taken from.
 */
list: FrameList, 
/**
 * Number of the frame, from 0.
 */
frame: FrameId | null, 
/**
 * Number of the exchange.
 */
exchange: ExchangeId | null, 
/**
 * Time, nanoseconds from the trace's epoch.
 */
at: number | null, };

/**
 * Request: a page of a packet list (Arrow, `PacketColumns`).
 */
export type PacketsRequest = { 
/**
 * The list that the rows are taken from.
 */
list: FrameList, 
/**
 * Position of the first row, from 0.
 */
offset: number, 
/**
 * Greatest number of rows.
 */
limit: number, 
/**
 * Names of the fields whose values the column `fields` has.
 */
fields: Array<string>, 
/**
 * Filter expressions of the rules of colour, in order: the column `rule` has the position of the first that a
 * row passes.
 */
rules: Array<string>, };

/**
 * A panel of a figure.
 */
export type PanelView = { 
/**
 * Title of the panel, for people.
 */
title: string, 
/**
 * Definition of what is drawn, as a subtitle: statistic, intervals, captures.
 */
rule: string, 
/**
 * Horizontal axis of the marks.
 */
x: AxisView, 
/**
 * Vertical axis of the marks.
 */
y: AxisView, 
/**
 * Second vertical axis, for lines with `right`; null: none.
 */
right: AxisView | null, 
/**
 * Marks in drawing order.
 */
marks: Array<MarkView>, 
/**
 * Entries for shapes and lines that no series explains.
 */
key: Array<KeyView>, 
/**
 * Number of a set of panels that have the same axes, to be compared by eye; null: axes of its own.
 */
axes: number | null, };

/**
 * One parameter of one algorithm, described as data.
 */
export type ParamSpec = { 
/**
 * The identifier in overrides, such as `k_strong`.
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
 * Description for people, one or two sentences.
 */
doc: string, 
/**
 * Unit of the value and its limits.
 */
unit: Unit, 
/**
 * The value of this preset, in `unit`; times in seconds.
 */
default: ParamValue, 
/**
 * The smallest legal value, in `unit`; none for a choice.
 */
min: number | null, 
/**
 * The largest legal value, in `unit`; none for a choice.
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
 * Source of the default: RFC section, paper or source file.
 */
citation: string, 
/**
 * Whether the source leaves this open, so that the default is an interpretation made here.
 */
reading: boolean, };

/**
 * A parameter's value in its natural unit: seconds, a number, a fraction such as `1/3`, or a name.
 */
export type ParamValue = number | string;

/**
 * A parameter of the network twin, in `unit`.
 */
export type ParameterView = { 
/**
 * Name: lower case, words joined by hyphens.
 */
name: string, 
/**
 * Value in `unit`; of a range, the middle.
 */
value: number, 
/**
 * Lower end of its 90 % interval; of a preset, its least value.
 */
lo: number, 
/**
 * Upper end of its 90 % interval; of a preset, its greatest value.
 */
hi: number, 
/**
 * Unit; empty for counts.
 */
unit: string, 
/**
 * Evidence for the value.
 */
known: KnownKind, 
/**
 * Number of observations that it was estimated from.
 */
observations: number, 
/**
 * Source of a preset: file of the stack's code, or document; null where it is no constant of a stack.
 */
source: string | null, };

/**
 * Evidence for the parents of a node, weakest first.
 */
export type ParentEvidence = "traffic" | "dao_receiver" | "transit";

/**
 * RPL parent of a node from some time on.
 */
export type ParentView = { 
/**
 * Time when it was first seen, nanoseconds from the trace's epoch.
 */
at: number, 
/**
 * Parent: position in [`NetworkView::nodes`], from 0.
 */
node: number, };

/**
 * Part of a capture that is replayed, the question of a deployment: its clients and its beginning. Default: all.
 */
export type PartView = { 
/**
 * Numbers of the associations whose clients stay as they were recorded.
 */
as_recorded?: Array<AssociationId>, 
/**
 * Beginning of the replay; absent: that of the trace.
 */
start?: StartView, };

/**
 * Channel states of one path: parameters of the fitted two-state model (Gilbert and Elliott).
 */
export type PathStatesView = { 
/**
 * Number of the association of the path.
 */
association: AssociationId, 
/**
 * Name of its client for people.
 */
client: string, 
/**
 * Verdict on the fit.
 */
verdict: FitKind, 
/**
 * Verdict for people, with the reason, in one sentence.
 */
said: string, 
/**
 * Scope of the fit: copies of the path, of its server, or of the whole trace.
 */
scope: Scope, 
/**
 * Number of copies in this scope.
 */
copies: number, 
/**
 * Number of lost copies among `copies`.
 */
lost: number, 
/**
 * Share of time in the bad state, 0 to 1; null without a second state.
 */
bad: EstimateView | null, 
/**
 * Coherence time: time after which the state is forgotten to 1/e, seconds; null without a second state.
 */
coherence: EstimateView | null, 
/**
 * Probability of a loss in the good state, 0 to 1; without a second state: of any loss.
 */
loss_good: EstimateView, 
/**
 * Probability of a loss in the bad state, 0 to 1; null without a second state.
 */
loss_bad: EstimateView | null, 
/**
 * Mean lengths of stays in the good and in the bad state, seconds; null without a second state.
 */
sojourns: [number, number] | null, 
/**
 * Number of stays in the bad state that the path's own copies show: stretches in which it is the likelier one.
 * Null without a second state.
 */
seen: number | null, 
/**
 * p-value of a χ² test, 0 to 1: chance of residuals at least as large if copies with similar forecasts are
 * lost as often as forecast.
 */
calibration: number, 
/**
 * p-value, 0 to 1, of the test that errors of the forecast do not predict later errors.
 */
error_correlation: number, 
/**
 * p-value, 0 to 1, of the test that losses are as many as forecast in every tenth of the trace.
 */
drift: number, 
/**
 * The last of the three tests supports constant parameters throughout the trace
 * ([`replay::Residuals::LEVEL`]).
 */
stationary: boolean, };

/**
 * Request: write a picture that the page drew.
 */
export type PictureRequest = { 
/**
 * Path of the file, `*.svg` or `*.png`; an existing one is replaced, unless the session has read it.
 */
path: string, 
/**
 * Content: SVG as text, PNG as hexadecimal digits, two an octet.
 */
content: string, };

/**
 * Place of one algorithm in the ranking by one measure.
 */
export type PlaceView = { 
/**
 * Position in `algorithms`, from 0.
 */
algorithm: number, 
/**
 * Share of the replicates in which it is the best, 0 to 1; ties share it equally.
 */
best: number, 
/**
 * Mean place over the replicates, from 1; ties have their midrank.
 */
place: number, };

/**
 * A list of nodes: a simulation, a floor plan or names.
 */
export type PlanView = { 
/**
 * File name without its folder.
 */
file: string, 
/**
 * Form of the list.
 */
kind: NodeListKind, 
/**
 * Listed nodes that the network has, in the order of the network.
 */
nodes: Array<PlannedNode>, 
/**
 * Number of listed nodes that the network does not have.
 */
unknown: number, 
/**
 * Notes on entries that were skipped, one sentence each.
 */
notes: Array<string>, };

/**
 * A listed node that the network has.
 */
export type PlannedNode = { 
/**
 * Node: position in [`NetworkView::nodes`], from 0.
 */
node: number, 
/**
 * Place; null: the list has none.
 */
place: PositionView | null, 
/**
 * Name for people; null: the list has none.
 */
name: string | null, };

/**
 * Rules besides timeouts and pace: of the sender, the server, and the bottleneck of channel `queued`. An absent
 * rule is as in RFC 7252 §4.8 ([`Policy`]), or as the capture shows.
 */
export type PolicyView = { 
/**
 * NSTART: greatest number of exchanges open at once towards one server, 1 to 255; null: as many as the trace
 * shows.
 */
nstart?: number, 
/**
 * MAX_RETRANSMIT: retransmissions before giving up, 0 to 20; null: 4 (RFC 7252 §4.8).
 */
max_retransmit?: number, 
/**
 * EXCHANGE_LIFETIME, after which an exchange is given up whatever its timers say, nanoseconds, above 0; null:
 * 247 s (RFC 7252 §4.8.2).
 */
exchange_lifetime?: number, 
/**
 * Greatest number of requests waiting at once; 0: a request that has to wait is dropped; null: the limit found
 * in the mote log beside the capture, and without one no limit.
 */
queue?: number, 
/**
 * First timeouts before the first sample, while other exchanges are open; null: as the algorithm does itself.
 */
blind?: BlindKind, 
/**
 * Lifetime of estimator state while nothing is sent, nanoseconds, above 0; null: for ever.
 */
state_lifetime?: number, 
/**
 * Greatest number of servers that a client keeps state of, 1 to 65,535; null: no limit.
 */
destinations?: number, 
/**
 * PLIMIT, the limit of the early CoCoA drafts on exchanges open to all servers together.
 */
plimit?: boolean, 
/**
 * PROBING_RATE: octets a second to a silent server, 1 or more (RFC 7252 §4.7); null: not limited.
 */
probing_rate?: number, 
/**
 * Additional processing time of the server per request, nanoseconds, 0 or more; null: none.
 */
processing?: number, 
/**
 * The server takes a copy for a new request (no de-duplication, RFC 7252 §4.5).
 */
repeats?: boolean, 
/**
 * Service time of the bottleneck of channel `queued` for a message of mean airtime, nanoseconds, above 0;
 * null: as the capture shows.
 */
service?: number, 
/**
 * Number of messages for which the bottleneck has room, the one in service included, 1 or more; null: as the
 * capture shows, if it does.
 */
room?: number, };

/**
 * A UDP port on which CoAP was found.
 */
export type PortView = { 
/**
 * UDP port number.
 */
port: number, 
/**
 * Number of requests to the port that were acknowledged from it.
 */
answered: number, };

/**
 * Place of a node on a plan, with y pointing down.
 */
export type PositionView = { 
/**
 * Distance to the right: metres in a simulation, else in the unit of the list; finite.
 */
x: number, 
/**
 * Distance down, in the same unit; finite.
 */
y: number, };

/**
 * Capture that a prediction was made from.
 */
export type PredictedCapture = { 
/**
 * Name of the capture, for people.
 */
name: string, 
/**
 * SHA-256 of its octets, lower-case hex.
 */
sha256: string, };

/**
 * Measure of a prediction, in the unit of the measure. Null where it does not apply.
 */
export type PredictedMeasure = { 
/**
 * Recorded value in the capture itself, in the unit of the measure.
 */
recorded: number | null, 
/**
 * Mean over replicates; null where these have two modes.
 */
mean: number | null, 
/**
 * 5th percentile of what would have happened in this capture.
 */
lo90: number | null, 
/**
 * 95th percentile of what would have happened in this capture.
 */
hi90: number | null, 
/**
 * 5th percentile of what another run would show; null where that was not asked for.
 */
another_lo90: number | null, 
/**
 * 95th percentile of what another run would show; null where that was not asked for.
 */
another_hi90: number | null, };

/**
 * Timer as it was predicted for a capture.
 */
export type PredictedRun = { 
/**
 * Name in the registry.
 */
algorithm: string, 
/**
 * Values of parameters that differ from the published ones, by name.
 */
params: Record<string, ParamValue>, 
/**
 * Channel that was asked for.
 */
channel: ChannelKind, 
/**
 * Clients that kept their timer.
 */
as_recorded: Array<AssociationId>, 
/**
 * Beginning of the replayed part; null: the whole capture.
 */
start: StartView | null, 
/**
 * Rules of the sender.
 */
policy: PolicyView, 
/**
 * Numbers by measure, as in the command line.
 */
metrics: { [key in string]: PredictedMeasure }, };

/**
 * Value given to a parameter of the network twin that no capture shows.
 */
export type PresetView = { 
/**
 * Name of the parameter, as in [`crate::view::ParameterView`].
 */
name: string, 
/**
 * Value in this variation, in `unit`.
 */
value: number, 
/**
 * Value in the question as asked, in `unit`; null where each replicate draws one.
 */
usual: number | null, 
/**
 * Unit; empty for counts.
 */
unit: string, };

/**
 * Request: load presets, from a file or from text (not both), or with neither only list the loaded ones.
 */
export type PresetsRequest = { 
/**
 * Path of a TOML or, by its name `*.json`, JSON file of at most 1 MiB.
 */
path: string | null, 
/**
 * The text of such a file: JSON when it begins with `{`.
 */
text: string | null, };

/**
 * Reply: the user's presets.
 */
export type PresetsView = { 
/**
 * Ids that this request added or replaced, in the order of the file.
 */
loaded: Array<string>, 
/**
 * All presets of the user, in the order of loading.
 */
mine: Array<UserPresetView>, 
/**
 * Every algorithm, the user's last.
 */
algorithms: Array<AlgorithmSpec>, };

/**
 * Estimates of a bottleneck, which rules of a replay can override ([`crate::view::PolicyView`]).
 */
export type QueueView = { 
/**
 * Service time of a message of mean airtime, seconds.
 */
service: EstimateView, 
/**
 * Number of messages that have room, the one in service included; null where the capture does not show it.
 */
room: number | null, };

/**
 * Completeness of an algorithm's sources.
 */
export type Rank = "A" | "A-" | "B+" | "B" | "C";

/**
 * Candidates ranked for one client or for all, and the verdict that follows.
 */
export type RankingView = { 
/**
 * Number of the client's association; null: all together.
 */
association: AssociationId | null, 
/**
 * Name of the client for people; `all clients` for all together.
 */
client: string, 
/**
 * Number of gaps between copies that the ranking rests on.
 */
gaps: number, 
/**
 * Verdict on the family that ran, with its reason.
 */
verdict: VerdictView, 
/**
 * Every preset, and changed ones that are likelier; the likeliest first.
 */
candidates: Array<CandidateView>, 
/**
 * Observed gaps beside timeouts of the likeliest candidate, by client and time; at most 1000, evenly thinned.
 */
evidence: Array<Gap>, };

/**
 * Decode options with which a capture was read: detected, given, or default.
 */
export type ReadAs = { 
/**
 * Names of the link types of frames, in order of appearance.
 */
links: Array<string>, 
/**
 * Trailer that was asked for; `auto` where nothing was said. The trailers found are those of `sources`.
 */
fcs: FcsKind, 
/**
 * Greatest ratio of a packed file's unpacked size to its own.
 */
unpack_ratio: number, 
/**
 * Observers of the frames, in order of appearance.
 */
sources: Array<SourceView>, 
/**
 * 6LoWPAN contexts in force.
 */
contexts: Array<ContextView>, 
/**
 * UDP ports of CoAP that were given, or 5683.
 */
ports: Array<number>, 
/**
 * UDP ports of CoAP that were found beside those.
 */
guessed: Array<PortView>, 
/**
 * Number of the retransmission-count option.
 */
rc_option: number, 
/**
 * Number of 802.15.4 keys that were given.
 */
keys: number, 
/**
 * Number of pairs of a short and an extended address that were given.
 */
addresses: number, 
/**
 * Files of the capture; several where it was merged.
 */
files: Array<FileView>, 
/**
 * Clocks of the merged recordings, the reference first; empty where there is one recording.
 */
clocks: Array<ClockView>, 
/**
 * Number of duplicate sightings: frames that show a transmission which another source saw too. Each
 * transmission counts once.
 */
duplicates: number, 
/**
 * Comments on the whole file.
 */
comments: Array<string>, 
/**
 * Number of comments on single frames.
 */
frame_comments: number, 
/**
 * Number of names of addresses that the file gives.
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
 * Name on the command line; it never changes.
 */
id: string, 
/**
 * Title of the figure, for people.
 */
title: string, 
/**
 * Content of the figure, in one sentence.
 */
about: string, 
/**
 * Figures of the literature that it reproduces, with their study.
 */
reproduces: string, 
/**
 * Switches of the figure, in the order of forms.
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
 * Part that an exchange plays in something larger.
 */
export type RelationKind = "transfer" | "observation" | "notification" | "onward" | "behind" | "event";

/**
 * A transfer, an observation, a proxy pair or an event that an exchange is a part of.
 */
export type RelationView = { 
/**
 * Part of the exchange in the relation.
 */
kind: RelationKind, 
/**
 * The relation in one sentence.
 */
said: string, 
/**
 * Exchanges of the relation, this one among them, in order of start; the first ones where they are very many.
 */
exchanges: Array<ExchangeId>, 
/**
 * Number of exchanges of the relation in all.
 */
count: number, };

/**
 * Request: replay a capture under other algorithms.
 */
export type ReplayRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Algorithms to compare; empty: the six of a first comparison, and the user's own presets.
 */
algorithms: Array<AlgorithmChoice>, 
/**
 * Channel model, which decides the fates of copies.
 */
channel: ChannelKind, 
/**
 * Workload model, which decides when applications would have sent.
 */
workload: WorkloadKind, 
/**
 * Seed of every random draw; equal requests give equal replies.
 */
seed: number, 
/**
 * Number of replicates, 1..=10000.
 */
replicates: number, 
/**
 * Baseline of differences: position in `algorithms`, from 0; null: the recorded behaviour.
 */
baseline: number | null, 
/**
 * Clients that are replayed, and the time from which they are; absent: all.
 */
part?: PartView, 
/**
 * Compute the model-free bounds too, and the intervals of another run; without them an answer comes in a third
 * of the time.
 */
bounds: boolean, 
/**
 * Other rules of the sender and the server.
 */
policy?: PolicyView, };

/**
 * Result of a replay.
 */
export type ReplayView = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Runs in the order asked for; equal settings share a run.
 */
runs: Array<RunView>, 
/**
 * Verdict on all runs, without measured values of real runs: those are in the reply of the command `verdict`.
 */
verdict: AnswerView, 
/**
 * Channel that the capture chose, and why; absent where the request named one.
 */
chosen?: ChosenChannelView, 
/**
 * All measures, in display order.
 */
metrics: Array<MetricSpec>, 
/**
 * Unusual rules and the part of the capture in words, for files without a caption; absent where all is usual.
 */
settings?: string, };

/**
 * Form of a reply to a confirmable message.
 */
export type ReplyKind = "empty_ack" | "piggybacked" | "separate" | "reset";

/**
 * A recorded reply of the core.
 */
export type ReportReply = { 
/**
 * Name of the command.
 */
name: string, 
/**
 * Request of the command.
 */
request: unknown, 
/**
 * Reply as JSON; null where it is an Arrow stream.
 */
json: unknown, 
/**
 * Reply as an Arrow IPC stream, base64 (RFC 4648 §4); null where it is JSON.
 */
arrow: string | null, };

/**
 * Request: make the data of a report, and write the report where a path is given.
 */
export type ReportRequest = { 
/**
 * Number of the open capture that `file.current` names.
 */
capture: number, 
/**
 * Session whose report is made.
 */
file: SessionFile, 
/**
 * Path of the report to write; null: it is not written.
 */
path: string | null, };

/**
 * A table in two forms.
 */
export type ReportTable = { 
/**
 * File name without extension: `compare`.
 */
name: string, 
/**
 * Table as CSV (RFC 4180).
 */
csv: string, 
/**
 * Table as Apache Parquet, base64 (RFC 4648 §4).
 */
parquet: string, };

/**
 * Data of a report: equal captures, sessions and programs give equal octets.
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
 * Program that made it, with its version: `RTOscope 0.1.0`.
 */
program: string, 
/**
 * Session, with this capture alone and without folders.
 */
session: SessionFile, 
/**
 * Command line that makes this report again.
 */
command: string, 
/**
 * Recorded replies of the core, from which the report's page answers its views, in the order of asking.
 */
replies: Array<ReportReply>, 
/**
 * Tables that a reader can save.
 */
tables: Array<ReportTable>, };

/**
 * Timing of successive requests of an association.
 */
export type Rhythm = { 
/**
 * Gap between requests: for [`Workload::Arrivals`] from start to start, of requests that did not wait for the one
 * before them; for [`Workload::ThinkTime`] from end to start. `None` where none was measured.
 */
gap: Delay | null, 
/**
 * Number of requests that were sent the moment the one before them ended: they had waited for it, or their client
 * sends one after the other.
 */
at_once: number, 
/**
 * True where more requests came than could be sent: nearly all waited, but not the first ones.
 */
backlog: boolean, 
/**
 * Number of requests that began together with those of other clients, see [`crate::Relations::events`].
 */
in_events: number, };

/**
 * Kind of the rows of a packet list.
 */
export type RowKind = "frames" | "messages";

/**
 * Request: timeouts and round-trip times of one association over time (Arrow, `RtoColumns`).
 */
export type RtoRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Number of the run; null: as recorded.
 */
run: number | null, 
/**
 * Number of the association.
 */
association: AssociationId, 
/**
 * Window start, nanoseconds from the trace's epoch.
 */
t0: number, 
/**
 * Window end, nanoseconds from the trace's epoch.
 */
t1: number, };

/**
 * Colour of rows of a packet list: one of the page's palette (`ui/src/tokens.css`), each in a light and a dark
 * form.
 */
export type RuleColour = "red" | "orange" | "yellow" | "green" | "blue" | "purple" | "grey";

/**
 * A rule besides timeouts ([`PolicyView`]) as data. Not given: as in RFC 7252 §4.8 or as the capture shows.
 */
export type RuleSpec = { 
/**
 * Placeholder of the form's field while the rule is not given; `None`: its default is shown.
 */
blank?: string, 
/**
 * The identifier in overrides, such as `k_strong`.
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
 * Description for people, one or two sentences.
 */
doc: string, 
/**
 * Unit of the value and its limits.
 */
unit: Unit, 
/**
 * The value of this preset, in `unit`; times in seconds.
 */
default: ParamValue, 
/**
 * The smallest legal value, in `unit`; none for a choice.
 */
min: number | null, 
/**
 * The largest legal value, in `unit`; none for a choice.
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
 * Source of the default: RFC section, paper or source file.
 */
citation: string, 
/**
 * Whether the source leaves this open, so that the default is an interpretation made here.
 */
reading: boolean, };

/**
 * Completion times of one run.
 */
export type RunCurves = { 
/**
 * Number of the run.
 */
run: number, 
/**
 * One curve, or those of the fast and of the slow mode in this order; empty for a run without exchanges.
 */
curves: Array<CurveView>, };

/**
 * Content of a file of a run.
 */
export type RunFileKind = "packets" | "frames";

/**
 * Run of one algorithm.
 */
export type RunView = { 
/**
 * Number of the run, for requests of its lanes, steps and states.
 */
run: number, 
/**
 * Algorithm as it was asked for.
 */
algorithm: AlgorithmChoice, 
/**
 * Name for people, with the values that are its own: `CoCoA+, Strong K 3`.
 */
name: string, 
/**
 * Verdict on this timer alone, whatever differences are taken to.
 */
verdict: AnswerView, 
/**
 * Verdict on whether the recorded behaviour is a usual run of this timer through the network twin, of use
 * where it is the timer that was running. Absent through other channels, and without completion times.
 */
self_replay?: AnswerView, 
/**
 * Measures by name ([`MetricSpec::name`]).
 */
metrics: { [key in string]: MetricView }, 
/**
 * Paired differences to the baseline by name of measure.
 */
differences: { [key in string]: DifferenceView }, 
/**
 * Two modes of the run; absent where one explains the replicates.
 */
modes?: ModesView, 
/**
 * Replicate whose frames can be shown, simulated: that of the lanes. Absent through channels that simulate
 * none.
 */
simulated?: SimulatedView, 
/**
 * Support: share of copies whose fate was recorded, 0 to 1, over all replicates; null through the network
 * twin, which samples none.
 */
support: number | null, 
/**
 * Number of copies in the first replicate, which is drawn; one entry per association.
 */
copies: Array<number>, 
/**
 * Number of needless copies among them; one entry per association.
 */
needless: Array<number>, 
/**
 * 95th percentile of completion times in the same replicate, nanoseconds, one entry per association; null
 * where nothing is answered.
 */
completion_p95: Array<number | null>, };

/**
 * A capture bundled with the app.
 */
export type Sample = { 
/**
 * Identifier, for [`OpenRequest::sample`].
 */
id: string, 
/**
 * Name of the sample, for people.
 */
name: string, 
/**
 * One line on the content of the capture.
 */
about: string, 
/**
 * Number of nodes in the network.
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
 * Copies that a two-state channel was fitted to.
 */
export type Scope = "path" | "server" | "trace";

/**
 * Answers to the variations of one question.
 */
export type SensitivityView = { 
/**
 * Algorithms compared, in the order asked for.
 */
algorithms: Array<AlgorithmChoice>, 
/**
 * Number of replicates of each variation: as many as asked for, or fewer where that is enough.
 */
replicates: number, 
/**
 * Variations; the question as asked is the first.
 */
variations: Array<VariationView>, 
/**
 * Rankings by name of measure, for the question as asked, from best to worst; algorithms without the measure
 * are left out.
 */
ranking: { [key in string]: Array<PlaceView> }, };

/**
 * A capture of a session, and the state of the window for it.
 */
export type SessionCapture = { 
/**
 * Name of the capture, for people.
 */
name: string, 
/**
 * Identifier of the bundled capture that it is; null: it is that of `files`.
 */
sample: string | null, 
/**
 * Folder that it was opened with, as one of its runs; absent: it was opened by itself.
 */
folder?: string, 
/**
 * Files of the capture; several where they were merged.
 */
files: Array<SessionFileRef>, 
/**
 * Decode options, without keys.
 */
decode: SessionDecode, 
/**
 * Window of time, begin and end, nanoseconds from the trace's epoch.
 */
window: [number, number], 
/**
 * Number of the selected exchange; null: none.
 */
selection: ExchangeId | null, 
/**
 * Playhead, nanoseconds from the trace's epoch.
 */
playhead: number, 
/**
 * Number of the association of the RTO view.
 */
association: AssociationId, 
/**
 * Values of tags by key: `nodes`, `load`, `topology`, …
 */
tags: { [key in string]: string }, 
/**
 * Moments that the reader marked, in order of time.
 */
flags: Array<SessionFlag>, 
/**
 * Numbers of the associations whose clients stay as recorded in every replay.
 */
as_recorded?: Array<AssociationId>, 
/**
 * Beginning of replays; absent: that of the trace.
 */
start?: StartView, 
/**
 * Names and places that the reader gave nodes.
 */
nodes?: Array<SessionNode>, 
/**
 * Choice and order of the lanes of *Timeline*; absent: all, by name.
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
 * UDP ports of CoAP; empty: 5683.
 */
ports: Array<number>, 
/**
 * Number of the retransmission-count option; null: the default.
 */
rc_option: number | null, 
/**
 * 6LoWPAN contexts that were given, each `ID=PREFIX`: `0=fd00::/64`.
 */
contexts: Array<string>, 
/**
 * Number of keys that were given; they are in no file and are asked for again.
 */
keys: number, 
/**
 * Extended addresses by short one, each as `0x1234=00:12:74:00:01:02:03:04`.
 */
addresses: Array<string>, 
/**
 * Greatest ratio of a packed file's unpacked size to its own; null: the default.
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
 * Values of switches that are not at their defaults, by name.
 */
params: Record<string, number | string | boolean>, };

/**
 * State of the view Figures.
 */
export type SessionFigures = { 
/**
 * Name of the recipe that is shown by itself; null: all are shown beside each other.
 */
recipe: string | null, 
/**
 * Values of switches that are not at their defaults, one entry per recipe that has some.
 */
switches: Array<SessionFigure>, 
/**
 * Positions in `captures`, from 0, of those left out of the figures of recipes that `without_by_recipe` does
 * not name.
 */
without: Array<number>, 
/**
 * Captures left out, of each recipe for which they were chosen.
 */
without_by_recipe?: Array<SessionWithout>, };

/**
 * Session file (`*.rtoscope.json`): the exact state of the window, without the captures' octets and without
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
 * Program that wrote it, with its version: `RTOscope 0.1.0`.
 */
program: string, 
/**
 * Captures that were open, in the order of the library.
 */
captures: Array<SessionCapture>, 
/**
 * Position in `captures` of the one that was looked at, from 0.
 */
current: number, 
/**
 * Name of the open view: `timeline`, `compare`, …
 */
view: string, 
/**
 * Algorithms shown, in order; the user's presets are resolved to those of the registry with parameters.
 */
algorithms: Array<AlgorithmChoice>, 
/**
 * Baseline of differences: one of `algorithms`; null: the recorded behaviour.
 */
baseline: AlgorithmChoice | null, 
/**
 * Settings of the replays.
 */
replay: SessionReplay, 
/**
 * Names of the measures shown in Compare; null: the headline ones.
 */
metrics: Array<string> | null, 
/**
 * Columns of packet lists, from the left; absent: those of a new window.
 */
packet_columns?: Array<PacketColumn>, 
/**
 * Rules of colour of packet lists, in order; absent: those of a new window.
 */
colour_rules?: Array<ColourRule>, 
/**
 * Timer of What-if with its values; null: none.
 */
what_if: AlgorithmChoice | null, 
/**
 * Further settings of that algorithm that What-if keeps beside it (C, D, E), in this order.
 */
kept: Array<AlgorithmChoice>, 
/**
 * Sweep of What-if: its drawing, parameters and measure.
 */
sweep: SessionSweep, 
/**
 * Predictions that were kept, to hold second captures against.
 */
predictions: Array<KeptPrediction>, 
/**
 * State of the view Figures.
 */
figures: SessionFigures, 
/**
 * Texts and sections of the report.
 */
report: SessionReport, };

/**
 * Reference to a file, which is identified by its octets.
 */
export type SessionFileRef = { 
/**
 * File name without its folder.
 */
name: string, 
/**
 * Path when the session was saved; null in a report and for a bundled capture. Elsewhere the file is looked
 * for beside the session file, by name.
 */
path: string | null, 
/**
 * SHA-256 of the file, lower-case hex.
 */
sha256: string, 
/**
 * Size of the file, octets.
 */
octets: number, };

/**
 * A moment that the reader marked.
 */
export type SessionFlag = { 
/**
 * Time, nanoseconds from the trace's epoch.
 */
at: number, 
/**
 * Note of the reader.
 */
note: string, };

/**
 * Choice and order of the lanes of *Timeline*.
 */
export type SessionLanes = { 
/**
 * Order of the lanes, from the top.
 */
order: LaneOrder, 
/**
 * Text that is part of the name or address of a client or server; lanes without it are left out. Empty: all.
 */
filter: string, 
/**
 * Numbers of the associations whose lanes stand first, whatever the order and the filter.
 */
pinned: Array<AssociationId>, 
/**
 * Addresses of hosts with many lanes whose lanes are shown one by one, not folded into one.
 */
unfolded?: Array<string>, };

/**
 * Name and place that the reader gave to a node.
 */
export type SessionNode = { 
/**
 * Name in the capture: `mote 3`, else an address.
 */
node: string, 
/**
 * Name given by the reader; null: that of the capture.
 */
name: string | null, 
/**
 * Place given by the reader; null: none.
 */
place: PositionView | null, };

/**
 * Request: read a session file, and look for its captures.
 */
export type SessionReadRequest = { 
/**
 * Path of a session file, or of a report, which holds its session.
 */
path: string, };

/**
 * Settings of replays that hold for all captures.
 */
export type SessionReplay = { 
/**
 * Channel model, which decides the fates of copies.
 */
channel: ChannelKind, 
/**
 * Workload model, which decides when applications would have sent.
 */
workload: WorkloadKind, 
/**
 * Seed of every random draw.
 */
seed: number, 
/**
 * Number of replicates, 1..=10000.
 */
replicates: number, 
/**
 * Other rules of the sender and the server.
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
 * Notes in the reader's own words.
 */
notes: string, 
/**
 * Ids of the sections ([`SectionKind`]); empty: all. Reports have them in the order of that type.
 */
sections: Array<string>, 
/**
 * Figures of the section `figures`, in order.
 */
figures: Array<SessionFigure>, };

/**
 * Sweep of What-if and its drawing. Null: the page's default.
 */
export type SessionSweep = { 
/**
 * Kind of drawing: `plane`, `curve` or `map`.
 */
picture: string | null, 
/**
 * Name of the parameter of curves and of a map's columns.
 */
over: string | null, 
/**
 * Name of the parameter of a map's rows.
 */
across: string | null, 
/**
 * Name of the measure of curves and maps.
 */
measure: string | null, };

/**
 * A session file, and the places of its captures.
 */
export type SessionView = { 
/**
 * Content of the file.
 */
file: SessionFile, 
/**
 * Places of the captures, in the order of `file.captures`.
 */
found: Array<FoundCapture>, };

/**
 * Captures left out of the figures of one recipe.
 */
export type SessionWithout = { 
/**
 * Name of the recipe.
 */
recipe: string, 
/**
 * Positions in `captures` of those left out, from 0.
 */
captures: Array<number>, };

/**
 * Request: complete a session with what only the core knows of its captures, and write it where a path is given.
 */
export type SessionWriteRequest = { 
/**
 * Path of the file to write; null: only complete the session.
 */
path: string | null, 
/**
 * Numbers of the open captures, in the order of `file.captures`.
 */
captures: Array<number>, 
/**
 * Session as the page knows it; names, files and decode options are filled in.
 */
file: SessionFile, };

/**
 * Meaning of a note for the reader.
 */
export type Severity = "remark" | "warning";

/**
 * One share, recorded and in the twin.
 */
export type ShareCheckView = { 
/**
 * Subject of the share: attempt pattern, number of senders, or name of a node.
 */
subject: string, 
/**
 * Number of recorded observations that it is a share of.
 */
observations: number, 
/**
 * Recorded share, 0 to 1.
 */
recorded: number, 
/**
 * Mean share over the twin's replicates, 0 to 1.
 */
mean: number, 
/**
 * 5th percentile over the twin's replicates, 0 to 1.
 */
lo90: number, 
/**
 * 95th percentile over the twin's replicates, 0 to 1.
 */
hi90: number, 
/**
 * Verdict on the recorded share.
 */
agreement: AgreementKind, };

/**
 * A share with its 95 % interval (Wilson score, [`trace::network::Share::interval95`]).
 */
export type ShareView = { 
/**
 * Number of trials that had the property.
 */
hits: number, 
/**
 * Number of all trials.
 */
trials: number, 
/**
 * Share of hits, 0 to 1; this and the ends are null without trials.
 */
value: number | null, 
/**
 * Lower end of the interval, 0 to 1.
 */
lo95: number | null, 
/**
 * Upper end of the interval, 0 to 1.
 */
hi95: number | null, };

/**
 * The replicate of the network twin whose frames can be shown.
 */
export type SimulatedView = { 
/**
 * Number of the replicate, from 1: the one that the lanes of the run show.
 */
replicate: number, 
/**
 * Number of all replicates of the run.
 */
of: number, 
/**
 * Seed of every draw.
 */
seed: number, };

/**
 * An observer of frames: a sniffer or an interface; in a Cooja log, a mote.
 */
export type SourceView = { 
/**
 * Name for people: of the sniffer or interface, or of the mote.
 */
name: string, 
/**
 * Number of frames that it observed, duplicate sightings included.
 */
frames: number, 
/**
 * Trailer of its frames; null where each record states it, and on other links.
 */
fcs: FcsKind | null, };

/**
 * Smallest, median and largest value of a measure that sniffers give, in its unit.
 */
export type Spread = { 
/**
 * Smallest value, in the unit of the measure.
 */
min: number, 
/**
 * Median, the lower of two, in the unit of the measure.
 */
median: number, 
/**
 * Largest value, in the unit of the measure.
 */
max: number, };

/**
 * Evidence for the network stack of a twin.
 */
export type StackKnownKind = "recognised" | "assumed" | "chosen";

/**
 * A network stack that a user may state.
 */
export type StackNameView = { 
/**
 * Identifier, for [`crate::view::AssumedView::stack`].
 */
id: string, 
/**
 * Name of the stack, for people.
 */
name: string, };

/**
 * Network stack of a twin.
 */
export type StackView = { 
/**
 * Identifier of the stack.
 */
id: string, 
/**
 * Evidence for the stack.
 */
how: StackKnownKind, 
/**
 * Name of the stack and reason for taking it, for people.
 */
says: string, };

/**
 * Request: the CoAP stacks, and for each whether it can run a timer.
 */
export type StacksRequest = { 
/**
 * Algorithm, with the parameters that differ from its preset's.
 */
algorithm: AlgorithmChoice, 
/**
 * MAX_RETRANSMIT: number of retransmissions before giving up; null: 4 (RFC 7252 §4.8).
 */
max_retransmit: number | null, 
/**
 * NSTART: greatest number of open exchanges towards one server; null: 1 (RFC 7252 §4.8).
 */
nstart: number | null, };

/**
 * Beginning of a replay within a trace.
 */
export type StartView = { 
/**
 * Time, nanoseconds from the trace's epoch; exchanges that began before are neither replayed nor measured.
 */
at: number, 
/**
 * Estimators have learned from the recorded exchanges before it; else they start as new.
 */
warm: boolean, };

/**
 * Version, bundled captures and default algorithms, for the start of the window.
 */
export type Startup = { 
/**
 * Version of this program, `MAJOR.MINOR.PATCH`.
 */
version: string, 
/**
 * Bundled captures; the first is opened when there is nothing else to open. Empty in a build without captures.
 */
samples: Array<Sample>, 
/**
 * Ids of the algorithms shown when nothing else was chosen.
 */
default_algorithms: Array<string>, 
/**
 * Rules of colour of packet lists when none were chosen.
 */
colour_rules: Array<ColourRule>, };

/**
 * One line of a state panel.
 */
export type StateLine = { 
/**
 * Name of the state variable for people.
 */
label: string, 
/**
 * Value in `unit`; null: not set yet, or `text` has it.
 */
value: number | null, 
/**
 * Unit: `s`, or empty for a plain number.
 */
unit: string, 
/**
 * Value in words, where it is no number; else null.
 */
text: string | null, };

/**
 * Request: the estimator's state of one client in a run at a time. Before the first exchange it is the initial
 * state; empty for a client that stays as recorded, and before the start of a warm replay.
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
 * Time, nanoseconds from the trace's epoch: the last step at or before it counts.
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
 * Request: the next event before or after a time.
 */
export type StepRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Time to step from, nanoseconds from the trace's epoch.
 */
at: number, 
/**
 * Kind of event to step to.
 */
kind: EventKind, 
/**
 * Step to the event before the time, not after it.
 */
backwards: boolean, 
/**
 * Runs of the two behaviours whose disagreement is wanted, null for the recorded one; needed by `disagreement`
 * alone, other events are recorded ones.
 */
between: [number | null, number | null] | null, };

/**
 * Event found by a step.
 */
export type StepView = { 
/**
 * Time of the event, nanoseconds from the trace's epoch.
 */
at: number, 
/**
 * Number of the association, which is the lane.
 */
association: AssociationId, 
/**
 * Number of the exchange.
 */
exchange: ExchangeId, 
/**
 * Number of the copy in the exchange, from 0; null: the closing reply.
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
 * Path of the file; `None` where it is not there.
 */
file: string | null, 
/**
 * Label of the timer that is known to have run; `None`: not known.
 */
ran: string | null, 
/**
 * Number of tasks with a row, over all channels.
 */
rows: number, 
/**
 * Number of rows without an answer.
 */
failed: number, 
/**
 * Number of tasks, over all channels.
 */
tasks: number, };

/**
 * A timer in a scenario.
 */
export type StudyCellView = { 
/**
 * Number of runs of the network with a value.
 */
runs: number, 
/**
 * Mean over runs of the network; `None` without a value.
 */
mean: number | null, 
/**
 * Lower and upper end of the 90 % interval of another run; where the study asked for none, of the mean over
 * runs or of the one row's replicates. `None` without.
 */
interval: [number, number] | null, 
/**
 * Its kind: `bootstrap`, `student`, `another run` or `replicates`; empty without.
 */
kind: string, 
/**
 * Letters of Tukey's test among the timers of the scenario: timers that share one are not told apart; `None`
 * without.
 */
letters: string | null, 
/**
 * Number of rows of runs with two modes.
 */
two_modes: number, 
/**
 * Recorded values of captures in which this timer ran, one a capture.
 */
real: Array<StudyRealView>, 
/**
 * Number of tasks without a row.
 */
waiting: number, 
/**
 * Number of rows without an answer.
 */
failed: number, 
/**
 * State of the first of them: `unreadable`, `refused`, `crashed`; empty without.
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
 * Kind of the figure.
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
 * Kind of the figure.
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
 * Path of the folder.
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
 * Values of the tags of its path, by name.
 */
tags: { [key in string]: string }, 
/**
 * Label of the timer that is known to have run, as the study would have it; `None`: not known.
 */
ran: string | null, };

/**
 * Captures of a folder of runs.
 */
export type StudyFoundView = { 
/**
 * Path of the folder.
 */
folder: string, 
/**
 * Patterns of paths in it, as asked for or guessed.
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
 * Folder of the rows of a study that has run here; `None`: none has.
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
 * Label of the timer under which the captures were recorded that answer; empty: any. `None`: the baseline
 * where captures of it are known.
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
 * Number of tasks of the study; 0 before its first run.
 */
tasks: number, 
/**
 * Number of tasks with a row.
 */
rows: number, 
/**
 * Number of rows without an answer.
 */
failed: number, 
/**
 * Number of replicates of a modelled channel.
 */
replicates: number, 
/**
 * Measure of the values.
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
 * Channel of the values.
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
 * Columns, in the order of the study.
 */
timers: Array<StudyTimerView>, 
/**
 * Rows, in order of name.
 */
scenarios: Array<StudyScenarioView>, 
/**
 * Number of real runs inside the 90 % interval of their prediction from other captures, and number of all such
 * runs.
 */
inside: [number, number], };

/**
 * End of a run of a study.
 */
export type StudyRanView = { 
/**
 * Number of tasks of the study.
 */
tasks: number, 
/**
 * Number of tasks with a row.
 */
rows: number, 
/**
 * Number of rows without an answer.
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
 * Recorded value, in the unit of the measure.
 */
value: number, 
/**
 * Position of its capture in the scenario.
 */
capture: number, };

/**
 * Form of a report of a study.
 */
export type StudyReportForm = "html" | "markdown";

/**
 * Write the report of a study to a file.
 */
export type StudyReportRequest = { 
/**
 * File of the study, or the folder of its rows.
 */
study: string, 
/**
 * Tag or parameter on the axis of the factor plot; `None`: the first.
 */
over: string | null, 
/**
 * Form of the file.
 */
form: StudyReportForm, 
/**
 * The file; one that is there is replaced.
 */
path: string, };

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
 * Name of the scenario.
 */
name: string, 
/**
 * Its captures, in order of path.
 */
captures: Array<StudyCaptureView>, 
/**
 * Positions in `captures` of those that answer: those recorded under the timer asked for, or all where it ran
 * in none.
 */
used: Array<number>, 
/**
 * Recorded value of the captures that answer, the mean over runs of the network; `None` where one has none.
 */
recorded: number | null, 
/**
 * Cells, one a column.
 */
cells: Array<StudyCellView>, 
/**
 * Positions of the columns that are not worse than the best, the best first; empty without values.
 */
best: Array<number>, 
/**
 * Whether the best is told from each of the others.
 */
wins: boolean, 
/**
 * Positions of two columns: the one predicted best among those with real runs, and the one whose real runs are
 * best; `None` where fewer than two columns have both.
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
 * Paragraphs, in reading order.
 */
text: Array<string>, 
/**
 * Lines of a file or of commands; empty: none.
 */
code: string, 
/**
 * Tables, after the text.
 */
tables: Array<StudyTable>, 
/**
 * Figures, after the tables.
 */
figures: Array<FigureView>, };

/**
 * A table with its heading.
 */
export type StudyTable = { 
/**
 * Heading above the table.
 */
title: string, 
/**
 * Headings and cells of the table.
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
 * Values of its tags, by name.
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
 * Name, colour and marker.
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
 * Program that made its rows, with its commit; empty without rows.
 */
program: string, 
/**
 * Sections, in reading order.
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
 * Path of the folder of the captures.
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
 * Timers, each with the parameters that differ from its preset.
 */
timers: Array<AlgorithmChoice>, 
/**
 * Number of replicates of a modelled channel, 1 to 10,000.
 */
replicates: number, };

/**
 * Second parameter of a sweep.
 */
export type SweepAcross = { 
/**
 * Name of the parameter.
 */
parameter: string, 
/**
 * Values of the parameter, in its natural unit.
 */
values: Array<number>, };

/**
 * One setting of a sweep.
 */
export type SweepPoint = { 
/**
 * Value of the parameter, in its natural unit.
 */
value: number, 
/**
 * Value of the second parameter, in its natural unit; null without one.
 */
across: number | null, 
/**
 * Measures by name, `w` and `b` (trade-off plane) among them.
 */
metrics: { [key in string]: MetricView }, };

/**
 * Request: run one algorithm for several values of one parameter, or of two; at most 256 settings.
 */
export type SweepRequest = { 
/**
 * Number of the capture.
 */
capture: number, 
/**
 * Algorithm to start from, with its values.
 */
algorithm: AlgorithmChoice, 
/**
 * Name of the parameter.
 */
parameter: string, 
/**
 * Values of the parameter, in its natural unit.
 */
values: Array<number>, 
/**
 * Second parameter, other than the first: all values of the one with all values of the other. Null: none.
 */
across: SweepAcross | null, 
/**
 * Channel model, which decides the fates of copies.
 */
channel: ChannelKind, 
/**
 * Workload model, which decides when applications would have sent.
 */
workload: WorkloadKind, 
/**
 * Seed of every random draw.
 */
seed: number, 
/**
 * Number of replicates, 1..=10000.
 */
replicates: number, 
/**
 * Clients that are replayed, and the time from which they are; absent: all.
 */
part?: PartView, 
/**
 * Other rules of the sender and the server.
 */
policy?: PolicyView, };

/**
 * A proposed tag of a capture.
 */
export type TagView = { 
/**
 * Key of the tag: `nodes`, `load`, `topology`, `mac` or `preset`.
 */
key: string, 
/**
 * Value of the tag; of `load`, exchanges started per second with two significant digits.
 */
value: string, 
/**
 * Source of the value, for people.
 */
why: string, };

/**
 * A timeout that ran out, estimated from the capture.
 */
export type Timeout = { 
/**
 * Association of the sender.
 */
association: AssociationId, 
/**
 * Exchange whose timer it was.
 */
exchange: ExchangeId, 
/**
 * Index of the copy whose timer it was: 0 is the original.
 */
copy: number, 
/**
 * Estimated length of the timeout.
 */
value: number, 
/**
 * Half the width of the 95 % interval about `value`: both copies waited for the channel for unknown times.
 */
error: number, 
/**
 * Whether the timeout ended the exchange; it is then estimated from the start of the next request.
 */
last: boolean, };

/**
 * Origin of a timer. The number in a `known` column is the position here.
 */
export type TimerKind = "unknown" | "armed" | "log" | "inferred";

/**
 * Evidence for the timer of a real run.
 */
export type TimerKnown = "bundled" | "named" | "identified" | "unknown";

/**
 * Timer of a copy, and its source.
 */
export type TimerView = { 
/**
 * Duration of the timer, nanoseconds.
 */
value: number, 
/**
 * Half the width of the 95 % interval about the value, nanoseconds; 0 in a run.
 */
error: number, 
/**
 * Source of the value: armed in a run, from the client's log, or inferred from gaps.
 */
known: TimerKind, };

/**
 * Numbers of copies whose timer is known, and the ranges of these timers.
 */
export type TimersView = { 
/**
 * Number of timers that the clients' log tells.
 */
log: number, 
/**
 * Number of timers inferred from gaps between copies, with an error.
 */
inferred: number, 
/**
 * Number of copies before a retransmission of which only the gap on the air is known.
 */
gaps: number, 
/**
 * Shortest and longest known timer of first copies, nanoseconds; null where none is known.
 */
first: [number, number] | null, 
/**
 * Shortest and longest gap on the air after first copies, nanoseconds; null where there is none.
 */
first_gaps: [number, number] | null, 
/**
 * Mean wait of first copies before the air, and mean time from the arming of their timers to the closing
 * reply, nanoseconds, of exchanges of which both are known; null where no log tells it.
 */
wait: [number, number] | null, };

/**
 * One measure, recorded and in the twin, in `unit`.
 */
export type TrustCheckView = { 
/**
 * Name of the measure.
 */
measure: string, 
/**
 * Heading of the measure, for people.
 */
label: string, 
/**
 * Unit: `s`, `fraction` (0 to 1), `per exchange` or `frames`.
 */
unit: string, 
/**
 * Recorded value, in `unit`.
 */
recorded: number, 
/**
 * Mean over the twin's replicates.
 */
mean: number, 
/**
 * 5th percentile over the twin's replicates; of a replayed timer, widened by the model error.
 */
lo90: number, 
/**
 * 95th percentile over the twin's replicates; of a replayed timer, widened by the model error.
 */
hi90: number, 
/**
 * Verdict on the recorded value.
 */
agreement: AgreementKind, };

/**
 * Trust in answers over a channel that the capture chose, from its checks and the support of the answers.
 */
export type TrustKind = "low" | "medium" | "high";

/**
 * Checks of the network twin against its own capture, and the channel that the capture chooses.
 */
export type TrustView = { 
/**
 * Channel that `auto` stands for; never `auto`.
 */
channel: ChannelKind, 
/**
 * Reason for the choice, in one sentence that begins with the name of the channel.
 */
why: string, 
/**
 * Timer of the self-replay: the most likely one; null without a twin, and where no known timer fits.
 */
timer: AlgorithmChoice | null, 
/**
 * End of the part of the capture that the checks are about, which is its beginning; null: the whole capture.
 */
until: number | null, 
/**
 * Measures, recorded and in the twin; empty without a twin.
 */
checks: Array<TrustCheckView>, 
/**
 * Gates in the order of their kinds, without halves; empty without a twin.
 */
gates: Array<GateView>, 
/**
 * Attempt patterns of the links that carry exchanges; empty without a twin.
 */
links: Array<LinkPatternsView>, 
/**
 * Shares of cells with 1, 2, 3, more senders, or of frames that start alone, beside 1, 2, more others.
 */
senders: Array<ShareCheckView>, 
/**
 * Share of the packets received that each node passes on.
 */
forwarding: Array<ShareCheckView>, 
/**
 * Parameters of the twin; empty without a twin.
 */
parameters: Array<ParameterView>, 
/**
 * Network stack that gives the twin the values that the capture does not show; null without a twin.
 */
stack: StackView | null, 
/**
 * Network stacks that the user may state (command `assume`).
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
 * Year of publication; `None` where the sources do not say.
 */
year: number | null, 
/**
 * Publication, and the sources of the known parts.
 */
citation: string, 
/**
 * Kind of proposal, in one word: `CoCoA`, `TCP`, `rate`, `adaptive` or `learning`.
 */
family: string, 
/**
 * Parts of the proposal that the sources give.
 */
known: string, 
/**
 * Parts that an implementation needs and no source gives.
 */
missing: string, 
/**
 * Identifiers of the presets that read it, each with its assumptions ([`crate::AlgorithmSpec::assumptions`]).
 */
readings: Array<string>, 
/**
 * Identifier of the preset that comes closest without being it; `None` where none is close.
 */
nearest: string | null, };

/**
 * Unit of a number.
 */
export type Unit = "seconds" | "ratio" | "factor" | "count" | "choice";

/**
 * A preset that the user loaded.
 */
export type UserPresetView = { 
/**
 * Preset id, unique among all algorithms.
 */
id: string, 
/**
 * Id of the built-in preset that it is based on.
 */
base: string, };

/**
 * Place on the path at which an association was captured.
 */
export type VantageKind = "client" | "server" | "between" | "everywhere";

/**
 * Answer to the question asked in another way.
 */
export type VariationView = { 
/**
 * Difference from the question as asked, for people.
 */
what: string, 
/**
 * Reason why there is no answer; null where there is one.
 */
refused: string | null, 
/**
 * Parameter of the network twin that differs; absent where something else does.
 */
preset?: PresetView, 
/**
 * Means over replicates by name of measure, one entry per algorithm, without two modes. Empty if refused.
 */
means: Array<{ [key in string]: number }>, 
/**
 * Means in the fast and in the slow mode by name of measure, one entry per algorithm; those with two modes.
 * Empty if refused.
 */
modes: Array<{ [key in string]: [number, number] }>, };

/**
 * Kind of verdict on a sender.
 */
export type VerdictKind = "identified" | "cannot_tell" | "none_fits";

/**
 * Verdict on the algorithm of a sender.
 */
export type VerdictView = { 
/**
 * Kind of the verdict.
 */
kind: VerdictKind, 
/**
 * Ids of the families: the one identified, or those that remain, the likeliest first; empty if none fits.
 */
families: Array<string>, 
/**
 * Ids of the presets that the capture does not distinguish, the likeliest first; the nearest where none fits.
 */
presets: Array<string>, 
/**
 * Probability that the family was running, among the known ones, 0 to 1; 0 unless identified.
 */
confidence: number, 
/**
 * Verdict in one sentence.
 */
said: string, };

/**
 * Reason why a message was in a node.
 */
export type WaitKind = "queue" | "turnaround";

/**
 * Wait of a copy before the air: from the arming of its timer to its first frame.
 */
export type WaitView = { 
/**
 * Length of the wait, nanoseconds.
 */
value: number, 
/**
 * Greatest error of the value to either side, nanoseconds.
 */
error: number, };

/**
 * Sums over the exchanges of a client, or of all.
 */
export type WatchedView = { 
/**
 * Name of the client; empty for all together.
 */
client: string, 
/**
 * Number of exchanges that are over.
 */
exchanges: number, 
/**
 * Number of exchanges that were answered.
 */
answered: number, 
/**
 * Number of exchanges that the client gave up.
 */
failed: number, 
/**
 * Number of exchanges whose end is not known.
 */
open: number, 
/**
 * Number of copies.
 */
copies: number, 
/**
 * Number of copies that were sent while an earlier one is answered anyway.
 */
needless: number, 
/**
 * Number of copies that are known to have been lost, or whose replies were.
 */
lost: number, 
/**
 * Timer that it was identified to run, as a preset; null: not identified, or of all together.
 */
timer: string | null, };

/**
 * Workload model: the time at which the application would have sent.
 */
export type WorkloadKind = "auto" | "arrivals" | "think_time";
