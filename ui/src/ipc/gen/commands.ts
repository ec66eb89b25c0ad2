// Generated from the Rust types by `npm run gen`. Do not edit.

import type * as t from './types';
import type { Columns } from '../arrow';

// Meanings of the numbers in columns: position = number.
export const MARK_KINDS = ['copy', 'closing', 'late', 'span', 'bin'] as const;
export const LANE_LEVELS = ['columns', 'spans', 'single'] as const;
export const FATE_KINDS = ['answered', 'request_lost', 'reply_lost', 'lost', 'unknown'] as const;
export const SAMPLE_KINDS = ['strong', 'weak', 'exact', 'not_sampled', 'unknown'] as const;
export const TIMER_KINDS = ['unknown', 'armed', 'log', 'inferred'] as const;
export const OUTCOME_KINDS = ['acked', 'separate', 'reset', 'abandoned', 'open'] as const;
export const PACKET_KINDS = ['request', 'retransmission', 'needless', 'reply', 'coap', 'control', 'link_ack', 'mac', 'encrypted', 'damaged', 'other'] as const;

export const NAVIGATOR_COLUMNS = {
  t0: 'f64',
  frames: 'f32',
  copies: 'f32',
  needless: 'f32',
  lost: 'f32',
} as const;
export type NavigatorColumns = typeof NAVIGATOR_COLUMNS;

export const LANE_COLUMNS = {
  run: 'u32',
  lane: 'u16',
  kind: 'u8',
  t0: 'f64',
  t1: 'f64',
  exchange: 'u32',
  fate: 'u8',
  needless: 'u8',
  supported: 'u8',
  up: 'f32',
  up_lost: 'f32',
  up_unknown: 'f32',
  down: 'f32',
  down_lost: 'f32',
  down_unknown: 'f32',
  level: 'u8',
} as const;
export type LaneColumns = typeof LANE_COLUMNS;

export const RTO_COLUMNS = {
  t: 'f64',
  exchange: 'u32',
  first_timer: 'f64',
  first_error: 'f64',
  known: 'u8',
  first_gap: 'f64',
  wait: 'f64',
  rtt: 'f64',
  true_rtt: 'f64',
  class: 'u8',
  needless: 'u8',
  supported: 'u8',
  rto: 'f64',
  strong: 'f64',
  weak: 'f64',
} as const;
export type RtoColumns = typeof RTO_COLUMNS;

export const EXCHANGE_COLUMNS = {
  exchange: 'u32',
  association: 'u16',
  client: 'text',
  server: 'text',
  mid: 'u16',
  token: 'text',
  code: 'text',
  start: 'f64',
  end: 'f64',
  copies: 'u8',
  needless: 'u8',
  lost: 'u8',
  fates: 'text',
  flags: 'text',
  outcome: 'u8',
  rtt: 'f64',
  payload: 'u16',
} as const;
export type ExchangeColumns = typeof EXCHANGE_COLUMNS;

export const NETWORK_LOAD_COLUMNS = {
  frames: 'u32',
  unique: 'u32',
  lost: 'u32',
  judged: 'u32',
  airtime: 'f64',
  around: 'f64',
  delay: 'f64',
} as const;
export type NetworkLoadColumns = typeof NETWORK_LOAD_COLUMNS;

export const NETWORK_SERIES_COLUMNS = {
  t0: 'f64',
  airtime: 'f64',
  frames: 'u32',
  retries: 'u32',
  lost: 'u32',
  judged: 'u32',
} as const;
export type NetworkSeriesColumns = typeof NETWORK_SERIES_COLUMNS;

export const PACKET_COLUMNS = {
  frame: 'u32',
  t: 'f64',
  src: 'text',
  dst: 'text',
  protocol: 'text',
  octets: 'u32',
  info: 'text',
  kind: 'u8',
  message: 'u32',
  hop: 'u8',
  exchange: 'u32',
  copy: 'u8',
  fate: 'u8',
  comment: 'text',
  fields: 'text',
  rule: 'u8',
} as const;
export type PacketColumns = typeof PACKET_COLUMNS;

export interface Commands {
  /** Version, bundled captures and default algorithms, for the start of the window. */
  startup(q: null): Promise<t.Startup>;
  /** Every algorithm with its parameters, the user's presets last. */
  algorithms(q: null): Promise<Array<t.AlgorithmSpec>>;
  /** Proposals without a faithful implementation: what is known of them, what is missing. */
  catalogue(q: null): Promise<Array<t.UnimplementedProposal>>;
  /** Load a file of presets, or list the loaded ones. */
  presets(q: t.PresetsRequest): Promise<t.PresetsView>;
  /** An algorithm on a path of constant round trip and loss. */
  outlook(q: t.OutlookRequest): Promise<t.OutlookView>;
  /** CoAP stacks, and for each why it cannot run a timer. */
  coap_stacks(q: t.StacksRequest): Promise<Array<t.CoapStackView>>;
  /** The lines that make a CoAP stack run an algorithm. */
  apply(q: t.ApplyRequest): Promise<t.Applied>;
  /** An algorithm as a C program for a CoAP stack. */
  c_program(q: t.ApplyRequest): Promise<t.CProgram>;
  /** Write the lines, the header or the C file of an algorithm for a CoAP stack. */
  export_applied(q: t.ExportAppliedRequest): Promise<null>;
  /** Read a capture and rebuild its exchanges. */
  open(q: t.OpenRequest): Promise<t.CaptureView>;
  /** Forget a capture and its runs. */
  close(q: t.CaptureRequest): Promise<null>;
  /** Judge a capture again under assumptions of the user, under a new number. */
  assume(q: t.AssumeRequest): Promise<t.CaptureView>;
  /** All open captures. */
  captures(q: null): Promise<Array<t.CaptureView>>;
  /** Sniffers that are plugged in, and serial lines. */
  live_devices(q: null): Promise<Array<t.LiveDevice>>;
  /** Begin a recording from sniffers. */
  live_start(q: t.LiveStartRequest): Promise<t.LiveView>;
  /** End the recording. */
  live_stop(q: null): Promise<t.LiveView | null>;
  /** The state of the recording. */
  live_state(q: null): Promise<t.LiveView | null>;
  /** Send a device to another channel. */
  live_channel(q: t.LiveChannelRequest): Promise<null>;
  /** The recording as a capture; null where nothing is new. */
  live_refresh(q: null): Promise<t.CaptureView | null>;
  /** Follow a capture or a log on disk as it grows. */
  follow_start(q: t.FollowRequest): Promise<t.FollowView>;
  /** The file that is followed. */
  follow_state(q: null): Promise<t.FollowView | null>;
  /** The followed file as a capture; null where nothing is new. */
  follow_refresh(q: null): Promise<t.CaptureView | null>;
  /** End following; the file as it is then. */
  follow_stop(q: null): Promise<t.CaptureView | null>;
  /** Errors of rules of alerts, in their order; empty for one that is right. */
  alerts_check(q: t.AlertsCheckRequest): Promise<Array<string>>;
  /** Watch the recording or the followed file for alerts. */
  alerts_start(q: t.AlertsStartRequest): Promise<t.AlertsView>;
  /** Read what is new for alerts; null where nothing is watched. */
  alerts_look(q: t.AlertsRequest): Promise<t.AlertsView | null>;
  /** End the watch; its alerts to the end of the capture. */
  alerts_stop(q: t.AlertsRequest): Promise<t.AlertsView | null>;
  /** Replay a capture under other algorithms. */
  replay(q: t.ReplayRequest): Promise<t.ReplayView>;
  /** Distribution of completion times of runs, and their effect on single clients. */
  distribution(q: t.DistributionRequest): Promise<t.DistributionView>;
  /** Real runs of the network of a capture, with their measured values. */
  measured(q: t.MeasuredRequest): Promise<Array<t.MeasuredRun>>;
  /** The verdict of a replay with what real runs of the network took. */
  verdict(q: t.ReplayRequest): Promise<t.AnswerView>;
  /** A run held against a second capture, taken after the timer was changed. */
  check_again(q: t.CheckRunRequest): Promise<t.CheckAgainView>;
  /** The predictions of runs as they are now, to be kept. */
  keep_prediction(q: t.KeepPredictionRequest): Promise<t.KeptPrediction>;
  /** A kept prediction held against a second capture. */
  check_kept(q: t.CheckKeptRequest): Promise<t.CheckAgainView>;
  /** Add a check to a calibration table of one's own. */
  calibration_add(q: t.CalibrationAddRequest): Promise<t.OwnCalibrationView>;
  /** One algorithm for several values of one parameter. */
  sweep(q: t.SweepRequest): Promise<Array<t.SweepPoint>>;
  /** Search parameters that improve a measure. */
  optimise(q: t.OptimiseRequest): Promise<t.OptimisedView>;
  /** The same question as a replay, asked in other ways. */
  sensitivity(q: t.ReplayRequest): Promise<t.SensitivityView>;
  /** Checks of the network twin against its own capture, and the channel that the capture chooses. */
  trust(q: t.CaptureRequest): Promise<t.TrustView>;
  /** The second half of a capture as a network twin of the first half predicts it. */
  halves(q: t.CaptureRequest): Promise<t.HalvesView>;
  /** Good and bad states of the channel of every path, as fitted. */
  channel_states(q: t.CaptureRequest): Promise<t.ChannelStatesView>;
  /** The channel states of one path over time. */
  channel_state_series(q: t.ChannelStateSeriesRequest): Promise<t.ChannelStateSeries>;
  /** The algorithm that was running, and its timeouts. */
  identify(q: t.IdentifyRequest): Promise<t.IdentifyView>;
  /** Completion times of hosts with many lanes, recorded and under some runs. */
  lane_hosts(q: t.LaneHostsRequest): Promise<Array<Array<t.HostView>>>;
  /** One exchange, recorded and under some runs. */
  exchange(q: t.ExchangeRequest): Promise<t.ExchangeView>;
  /** One exchange hop by hop, recorded and under some runs. */
  ladder(q: t.LadderRequest): Promise<t.LadderView>;
  /** The estimator's state at a time. */
  state(q: t.StateRequest): Promise<Array<t.StateLine>>;
  /** The next event before or after a time. */
  step(q: t.StepRequest): Promise<t.StepView | null>;
  /** Number of rows of the exchange table. */
  exchange_count(q: t.ExchangesRequest): Promise<t.CountView>;
  /** Position of an exchange in the exchange table. */
  exchange_row(q: t.ExchangeRowRequest): Promise<number | null>;
  /** The fields of filter expressions. */
  fields(q: null): Promise<Array<t.FieldView>>;
  /** The mistake in a filter expression; null where it can be read. */
  check_filter(q: t.CheckFilterRequest): Promise<t.FilterMistake | null>;
  /** Number of rows of a packet list. */
  packet_count(q: t.FrameList): Promise<t.PacketCount>;
  /** Position of a frame, an exchange or a time in a packet list. */
  packet_row(q: t.PacketRowRequest): Promise<t.PacketRow | null>;
  /** Nodes and links of the network. */
  network(q: t.CaptureRequest): Promise<t.NetworkView>;
  /** Places and names that a file gives nodes. */
  node_list(q: t.NodeListRequest): Promise<t.PlanView>;
  /** One frame in all its layers. */
  dissect(q: t.DissectRequest): Promise<t.DissectView>;
  /** Write the frames of a packet list as pcapng. */
  export_packets(q: t.ExportPacketsRequest): Promise<t.Exported>;
  /** Write the rows of a packet list as a table, with the columns that are shown. */
  export_packet_table(q: t.ExportPacketTableRequest): Promise<t.Exported>;
  /** Write the packets that a run would have sent as pcapng. */
  export_run(q: t.ExportRunRequest): Promise<t.Exported>;
  /** Every figure that can be drawn, with its switches. */
  recipes(q: null): Promise<Array<t.RecipeSpec>>;
  /** Proposed tags of a capture, for figures. */
  proposed_tags(q: t.CaptureRequest): Promise<Array<t.TagView>>;
  /** A figure from captures and their replays, with its table. */
  figure(q: t.FigureRequest): Promise<t.FigureView>;
  /** The command line that writes a figure's numbers. */
  figure_line(q: t.FigureRequest): Promise<t.FigureLine>;
  /** Write the table of a figure to a file. */
  export_figure(q: t.FigureTableRequest): Promise<null>;
  /** Write a picture that the page drew to a file. */
  export_picture(q: t.PictureRequest): Promise<null>;
  /** Captures of a folder of runs, with the tags that their names say. */
  study_find(q: t.StudyFindRequest): Promise<t.StudyFoundView>;
  /** Write a study over a folder of runs. */
  study_write(q: t.StudyWriteRequest): Promise<t.StudyRequestView>;
  /** Write the bundled captures and a study over them. */
  study_bundled(q: t.StudyBundledRequest): Promise<t.StudyRequestView>;
  /** Run the tasks of a study that have no row yet. */
  study_run(q: t.StudyRequestView): Promise<t.StudyRanView>;
  /** The rows of a study as a grid of scenarios and timers, beside real runs. */
  study_grid(q: t.StudyGridRequest): Promise<t.StudyGridView>;
  /** A figure of a study, with its table. */
  study_figure(q: t.StudyFigureRequest): Promise<t.FigureView>;
  /** Write the table of a figure of a study to a file. */
  export_study_figure(q: t.StudyFigureTableRequest): Promise<null>;
  /** Write the report of a study to a file. */
  study_report(q: t.StudyReportRequest): Promise<null>;
  /** Read a session file, and look for its captures. */
  session_read(q: t.SessionReadRequest): Promise<t.SessionView>;
  /** Complete a session, and write it. */
  session_write(q: t.SessionWriteRequest): Promise<t.SessionFile>;
  /** Make a report, and write it. */
  report(q: t.ReportRequest): Promise<t.ReportView>;
  /** Density over the whole capture. */
  navigator(q: t.NavigatorRequest): Promise<Columns<NavigatorColumns>>;
  /** Marks of lanes in a window. */
  lanes(q: t.LanesRequest): Promise<Columns<LaneColumns>>;
  /** RTO and RTT over time of one association. */
  rto(q: t.RtoRequest): Promise<Columns<RtoColumns>>;
  /** A page of the exchange table. */
  exchanges(q: t.ExchangesRequest): Promise<Columns<ExchangeColumns>>;
  /** Load of links and nodes in a window. */
  network_load(q: t.NetworkLoadRequest): Promise<Columns<NetworkLoadColumns>>;
  /** Load and loss of the network over time. */
  network_series(q: t.NetworkSeriesRequest): Promise<Columns<NetworkSeriesColumns>>;
  /** A page of a packet list. */
  packets(q: t.PacketsRequest): Promise<Columns<PacketColumns>>;
}

/** Column map of each Arrow reply; commands not listed answer with JSON. */
export const ARROW = {
  navigator: NAVIGATOR_COLUMNS,
  lanes: LANE_COLUMNS,
  rto: RTO_COLUMNS,
  exchanges: EXCHANGE_COLUMNS,
  network_load: NETWORK_LOAD_COLUMNS,
  network_series: NETWORK_SERIES_COLUMNS,
  packets: PACKET_COLUMNS,
} as const;

/** Commands that report progress and can be cancelled. */
export const SLOW: readonly (keyof Commands)[] = ['open', 'assume', 'live_refresh', 'follow_refresh', 'follow_stop', 'alerts_look', 'alerts_stop', 'replay', 'measured', 'verdict', 'check_again', 'keep_prediction', 'check_kept', 'sweep', 'optimise', 'sensitivity', 'trust', 'halves', 'channel_states', 'channel_state_series', 'identify', 'ladder', 'packet_count', 'packet_row', 'network', 'node_list', 'dissect', 'export_packets', 'export_packet_table', 'export_run', 'figure', 'export_figure', 'study_find', 'study_run', 'study_grid', 'study_figure', 'export_study_figure', 'study_report', 'session_read', 'report', 'network_load', 'network_series', 'packets'];
