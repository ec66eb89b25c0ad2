-- Fields and expert infos, in the order in which Wireshark lists them. `declare` registers them. Loading this file does
-- not, because Wireshark also loads every file of a plugin folder by itself.

local fields = {}

-- Numbers of CoCoA's classes of samples in `coap.rc.class`, and their names.
fields.CLASSES = { strong = 1, weak = 2, none = 3 }
local CLASS_NAMES = { [1] = "strong", [2] = "weak", [3] = "none" }

-- Names and fields; times are in seconds on display.
local function declared_fields()
  local u8, u16, u32 = ProtoField.uint8, ProtoField.uint16, ProtoField.uint32
  local bool, time, frame = ProtoField.bool, ProtoField.relative_time, ProtoField.framenum
  local none, dec = base.NONE, base.DEC
  local cocoa = "draft-ietf-core-cocoa-03 section 4.2"
  return {
    { "count", u32("coap.rc.count", "Retransmission count", dec, nil, nil, "0 or absent: the original") },
    { "probe", bool("coap.rc.probe", "Probe", none, nil, nil, "FASOR's value 255") },
    { "number", u16("coap.rc.number", "Option number") },
    { "critical", bool("coap.rc.critical", "Critical") },
    { "unsafe", bool("coap.rc.unsafe", "Unsafe to forward") },
    { "no_cache_key", bool("coap.rc.nocachekey", "NoCacheKey") },
    { "repeatable", bool("coap.rc.repeatable", "Repeatable") },
    { "exchange", u32("coap.rc.exchange", "Exchange", dec, nil, nil, "Numbered from 1 in order of capture") },
    { "copy", u32("coap.rc.copy", "Copy", dec, nil, nil, "1 is the original, as far as it was captured") },
    { "again", bool("coap.rc.again", "Seen before", none, nil, nil, "Another hop or a link-layer repetition") },
    { "request_in", frame("coap.rc.request_in", "Request in", none, frametype.REQUEST) },
    { "response_in", frame("coap.rc.response_in", "Answer in", none, frametype.RESPONSE) },
    { "rtt", time("coap.rc.rtt", "Round-trip time", "From the copy that was answered") },
    { "since_first", time("coap.rc.rtt_first", "Time since the first copy") },
    { "gap", time("coap.rc.gap", "Time since the copy before") },
    { "class", u8("coap.rc.class", "Sample", dec, CLASS_NAMES, nil, cocoa) },
    { "needless", bool("coap.rc.needless", "Needless retransmission") },
    { "wasted", u8("coap.rc.wasted", "Needless copies", dec, nil, nil, "Copies sent after the answered one") },
  }
end

-- Names and expert infos.
local function declared_experts()
  local function new(name, text, group, severity)
    return { name, ProtoExpert.new("coap.rc." .. name, text, expert.group[group], expert.severity[severity]) }
  end
  return {
    new("spurious", "Needless retransmission: the answer is to an earlier copy", "SEQUENCE", "NOTE"),
    new("mismatch", "The count echoed is that of no copy captured", "SEQUENCE", "WARN"),
    new("no_echo", "The request carried a count, the answer does not echo one", "SEQUENCE", "NOTE"),
    new("on_empty", "An empty message carries no options (RFC 7252 section 4.1)", "PROTOCOL", "WARN"),
    new("on_original", "A count above 0 in the first copy captured", "SEQUENCE", "NOTE"),
    new("repeated", "The option is repeated; the first one counts", "PROTOCOL", "WARN"),
    new("long", "The value is longer than one octet", "PROTOCOL", "WARN"),
    new("same_count", "A new copy with the count of the copy before", "SEQUENCE", "WARN"),
    new("backward", "The count is lower than that of the copy before", "SEQUENCE", "WARN"),
    new("answer_lost", "The client did not get this answer: no acknowledgement, or another copy", "SEQUENCE", "NOTE"),
    -- Not in the group MALFORMED, which would set `_ws.malformed`: only Wireshark's own dissector sets that.
    new("damaged", "Options end here: the message is damaged", "PROTOCOL", "WARN"),
  }
end

-- Splits pairs of name and value: the values in order, and the values by name.
local function by_name(declared)
  local list, names = {}, {}
  for index, one in ipairs(declared) do
    list[index], names[one[1]] = one[2], one[2]
  end
  return list, names
end

--- Registers the fields and expert infos of `proto`.
-- @return fields by name, experts by name
function fields.declare(proto)
  local field_list, field_names = by_name(declared_fields())
  local expert_list, expert_names = by_name(declared_experts())
  proto.fields = field_list
  proto.experts = expert_list
  return field_names, expert_names
end

return fields
