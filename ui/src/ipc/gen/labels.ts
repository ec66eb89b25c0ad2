// Generated from the Rust types by `npm run gen`. Do not edit.

import type * as t from './types';

/** Names of channels: for a sentence (`label`), for a small place (`short`), and a description (`about`). */
export const CHANNELS: Readonly<Record<t.ChannelKind, { label: string; short: string; about: string }>> = {
  "auto": {
    "about": "The network twin where it is right about its own capture; else a bottleneck that the round trips show, or Empirical",
    "label": "chosen by the capture",
    "short": "Chosen by the capture"
  },
  "empirical": {
    "about": "Fates sampled from recorded copies of the same path near in time",
    "label": "empirical",
    "short": "Empirical"
  },
  "gilbert_elliott": {
    "about": "Good and bad channel states, fitted to each path and drawn afresh in every replicate",
    "label": "Gilbert–Elliott",
    "short": "Gilbert–Elliott"
  },
  "loaded": {
    "about": "As Empirical, but copies that are sent more or less move losses and round trips of all clients, where the capture shows how",
    "label": "empirical under load",
    "short": "Loaded"
  },
  "loaded_gilbert_elliott": {
    "about": "As Gilbert–Elliott, moved by load likewise",
    "label": "Gilbert–Elliott under load",
    "short": "Gilbert–Elliott, loaded"
  },
  "queued": {
    "about": "As Empirical, but copies and replies of all clients pass one node in order, wait, and are dropped where it has no room, where the capture shows how it works",
    "label": "empirical behind a bottleneck",
    "short": "Bottleneck"
  },
  "recorded": {
    "about": "No model: what was not recorded stays open, every number is a bound",
    "label": "recorded, without a model",
    "short": "Recorded"
  },
  "twin": {
    "about": "Copies pass a simulation of the network that the capture shows: queues, cells, contention and link retries answer to the timers",
    "label": "network twin",
    "short": "Network twin"
  }
};

/** Names of workloads, for sentences. */
export const WORKLOADS: Readonly<Record<t.WorkloadKind, string>> = {
  "arrivals": "arrivals",
  "auto": "as detected",
  "think_time": "think time"
};

/** Every rule besides timeouts, in the order of forms and sentences. */
export const RULES: readonly t.RuleSpec[] = [
  {
    "blank": "trace",
    "choices": [],
    "citation": "RFC 7252 §4.7",
    "default": 1.0,
    "doc": "Most exchanges open at once towards one server. Without: as many as the trace shows.",
    "group": "sender",
    "label": "NSTART",
    "max": 255.0,
    "min": 1.0,
    "name": "nstart",
    "reading": false,
    "scale": "log",
    "unit": "count"
  },
  {
    "choices": [],
    "citation": "RFC 7252 §4.8",
    "default": 4.0,
    "doc": "Retransmissions before a client gives up.",
    "group": "sender",
    "label": "MAX_RETRANSMIT",
    "max": 20.0,
    "min": 0.0,
    "name": "max_retransmit",
    "reading": false,
    "scale": "linear",
    "unit": "count"
  },
  {
    "choices": [],
    "citation": "RFC 7252 §4.8.2",
    "default": 247.0,
    "doc": "An exchange is given up after this long, whatever its timers say.",
    "group": "sender",
    "label": "EXCHANGE_LIFETIME",
    "max": 86400.0,
    "min": 0.001,
    "name": "exchange_lifetime",
    "reading": false,
    "scale": "log",
    "unit": "seconds"
  },
  {
    "blank": "log",
    "choices": [],
    "citation": "Ancillotti & Bruno 2017",
    "default": 8.0,
    "doc": "Most requests that wait for a place (NSTART); more are dropped, with 0 whatever would wait. Without: as many as the mote log beside the capture tells of, or all.",
    "group": "sender",
    "label": "Most that wait",
    "max": null,
    "min": 0.0,
    "name": "queue",
    "reading": false,
    "scale": "linear",
    "unit": "count"
  },
  {
    "choices": [
      {
        "label": "algorithm",
        "name": "algorithm"
      },
      {
        "label": "ignore",
        "name": "ignore"
      },
      {
        "label": "linear",
        "name": "linear"
      },
      {
        "label": "power",
        "name": "power"
      }
    ],
    "citation": "draft-ietf-core-cocoa-03 §4.1",
    "default": "algorithm",
    "doc": "First timeouts before the first sample, with other exchanges open: as the algorithm does, as with none open, times their number, or doubled for each.",
    "group": "sender",
    "label": "Blind timeouts",
    "max": null,
    "min": null,
    "name": "blind",
    "reading": false,
    "scale": "linear",
    "unit": "choice"
  },
  {
    "blank": "ever",
    "choices": [],
    "citation": "draft-ietf-core-cocoa-03 §4.3",
    "default": 255.0,
    "doc": "How long what was learned about a server is kept when nothing is sent to it. Without: for ever.",
    "group": "sender",
    "label": "State is kept",
    "max": 86400.0,
    "min": 0.001,
    "name": "state_lifetime",
    "reading": false,
    "scale": "log",
    "unit": "seconds"
  },
  {
    "blank": "all",
    "choices": [],
    "citation": "draft-ietf-core-cocoa-03 §4.3",
    "default": 4.0,
    "doc": "How many servers a client keeps state of. Without: all.",
    "group": "sender",
    "label": "Servers remembered",
    "max": 65535.0,
    "min": 1.0,
    "name": "destinations",
    "reading": false,
    "scale": "log",
    "unit": "count"
  },
  {
    "choices": [
      {
        "label": "no",
        "name": "no"
      },
      {
        "label": "yes",
        "name": "yes"
      }
    ],
    "citation": "draft-bormann-core-cocoa-03",
    "default": "no",
    "doc": "Limits the exchanges that one client has open to all its servers together, as the early CoCoA drafts did.",
    "group": "sender",
    "label": "PLIMIT",
    "max": null,
    "min": null,
    "name": "plimit",
    "reading": false,
    "scale": "linear",
    "unit": "choice"
  },
  {
    "blank": "off",
    "choices": [],
    "citation": "RFC 7252 §4.8",
    "default": 1.0,
    "doc": "Octets a second to a server that does not answer. Without: not limited.",
    "group": "sender",
    "label": "PROBING_RATE",
    "max": 1000000.0,
    "min": 1.0,
    "name": "probing_rate",
    "reading": false,
    "scale": "log",
    "unit": "count"
  },
  {
    "choices": [],
    "citation": "RFC 7252 §4.8.2",
    "default": 0.0,
    "doc": "How much longer the server works on a request than it did.",
    "group": "server",
    "label": "Longer processing",
    "max": 60.0,
    "min": 0.0,
    "name": "processing",
    "reading": false,
    "scale": "linear",
    "unit": "seconds"
  },
  {
    "choices": [
      {
        "label": "no",
        "name": "no"
      },
      {
        "label": "yes",
        "name": "yes"
      }
    ],
    "citation": "RFC 7252 §4.5",
    "default": "no",
    "doc": "The server takes a copy for a new request and works on it again: no de-duplication.",
    "group": "server",
    "label": "Repeats",
    "max": null,
    "min": null,
    "name": "repeats",
    "reading": false,
    "scale": "linear",
    "unit": "choice"
  },
  {
    "blank": "found",
    "choices": [],
    "citation": "",
    "default": 0.1,
    "doc": "How long the bottleneck serves a message of mean airtime. Without: as the capture shows.",
    "group": "bottleneck",
    "label": "Service time",
    "max": 60.0,
    "min": 0.0001,
    "name": "service",
    "reading": false,
    "scale": "log",
    "unit": "seconds"
  },
  {
    "blank": "found",
    "choices": [],
    "citation": "",
    "default": 16.0,
    "doc": "For how many messages the bottleneck has room, the one that is served included. Without: as the capture shows, if it does.",
    "group": "bottleneck",
    "label": "Room",
    "max": null,
    "min": 1.0,
    "name": "room",
    "reading": false,
    "scale": "linear",
    "unit": "count"
  }
];

/** Names of the places where a capture was taken. */
export const VANTAGES: Readonly<Record<t.VantageKind, string>> = {
  "between": "in between",
  "client": "at the client",
  "everywhere": "every hop",
  "server": "at the server"
};

/** Names of the trailers of 802.15.4 frames. */
export const FCS: Readonly<Record<t.FcsKind, string>> = {
  "auto": "found from the frames",
  "crc16": "CRC-16",
  "none": "none",
  "ti": "TI status (RSSI and correlation)"
};

/** Sources of 6LoWPAN contexts. */
export const CONTEXTS: Readonly<Record<t.ContextHow, string>> = {
  "announced": "announced by a router",
  "given": "given",
  "rpl": "the prefix that RPL announces"
};

/** Names of the verdicts on the channel states of a path. */
export const FITS: Readonly<Record<t.FitKind, string>> = {
  "does_not_fit": "does not fit",
  "one_state": "one state",
  "too_few": "too few copies",
  "two_states": "two states"
};

/** Names of the layers that notes are about. */
export const LAYERS: Readonly<Record<t.Layer, string>> = {
  "clock": "clock",
  "coap": "CoAP",
  "exchange": "exchange",
  "file": "file",
  "ipv6": "IPv6",
  "link": "802.15.4",
  "lowpan": "6LoWPAN",
  "replay": "replay",
  "udp": "UDP"
};

/** Methods by the code of a request. */
export const METHODS: Readonly<Record<string, string>> = {
  "0.01": "GET",
  "0.02": "POST",
  "0.03": "PUT",
  "0.04": "DELETE",
  "0.05": "FETCH",
  "0.06": "PATCH",
  "0.07": "iPATCH"
};

/** Measures that may become worse as the objective improves; *Find…* shows them beside it. */
export const PRICE: readonly string[] = [
  "duration_mean",
  "retries_mean",
  "spurious_all",
  "failed"
];

/** Policies with the core's words for each; tests compare the page's words with them. */
export const RULES_SAID: readonly (readonly [t.PolicyView, string])[] = [
  [
    {
      "nstart": 3
    },
    "NSTART 3"
  ],
  [
    {
      "max_retransmit": 3
    },
    "MAX_RETRANSMIT 3"
  ],
  [
    {
      "exchange_lifetime": 12345600000
    },
    "EXCHANGE_LIFETIME 12.3456 s"
  ],
  [
    {
      "queue": 3
    },
    "Most that wait 3"
  ],
  [
    {
      "blind": "power"
    },
    "Blind timeouts power"
  ],
  [
    {
      "state_lifetime": 12345600000
    },
    "State is kept 12.3456 s"
  ],
  [
    {
      "destinations": 3
    },
    "Servers remembered 3"
  ],
  [
    {
      "plimit": true
    },
    "PLIMIT"
  ],
  [
    {
      "probing_rate": 3
    },
    "PROBING_RATE 3"
  ],
  [
    {
      "processing": 12345600000
    },
    "Longer processing 12.3456 s"
  ],
  [
    {
      "repeats": true
    },
    "Repeats"
  ],
  [
    {
      "service": 12345600000
    },
    "Service time 12.3456 s"
  ],
  [
    {
      "room": 3
    },
    "Room 3"
  ],
  [
    {
      "blind": "power",
      "destinations": 3,
      "exchange_lifetime": 12345600000,
      "max_retransmit": 3,
      "nstart": 3,
      "plimit": true,
      "probing_rate": 3,
      "processing": 12345600000,
      "queue": 3,
      "repeats": true,
      "room": 3,
      "service": 12345600000,
      "state_lifetime": 12345600000
    },
    "NSTART 3, MAX_RETRANSMIT 3, EXCHANGE_LIFETIME 12.3456 s, Most that wait 3, Blind timeouts power, State is kept 12.3456 s, Servers remembered 3, PLIMIT, PROBING_RATE 3, Longer processing 12.3456 s, Repeats, Service time 12.3456 s, Room 3"
  ]
];
