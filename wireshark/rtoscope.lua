-- RTOscope's dissector of the CoAP retransmission-count (RC) option, for Wireshark and tshark 4.0 (Lua 5.2) to 4.6
-- (Lua 5.4).
--
-- Wireshark's own dissector does not know the option, and measures response times from the first copy. This one stands
-- in front of it on every UDP port that leads to CoAP, Decode As included, hands it each message, and adds under it
-- what the option says and what follows from it. Standing in front costs a fifth of tshark's time; a post-dissector,
-- which makes Wireshark build every frame's tree, seven times as much.
--
-- Beside this file: coap_rc.lua, all that needs no Wireshark.

local arguments = { ... }
local core = require("coap_rc")

local rc = Proto("coap_rc", "CoAP Retransmission Count")

-- Lee, Kim and Youn 2016 (the RC option) leave the number open. 65020 is the first one for experiments (RFC 7252
-- section 12.2) that is elective, safe to forward and no part of the cache key (section 5.4.6).
rc.prefs.option = Pref.uint("Option number", 65020, "Number of the retransmission-count option")
rc.prefs.ports = Pref.range("More CoAP ports", "", "UDP ports that carry CoAP beside 5683 and those of Decode As", 65535)
rc.prefs.gap =
  Pref.uint("Repetition gap (ms)", 100, "Without sequence numbers, equal messages closer than this are link-layer repetitions")

local CLASSES = { strong = 1, weak = 2, none = 3 }
local CLASS_NAMES = { [1] = "strong", [2] = "weak", [3] = "none" }

local f = {
  count = ProtoField.uint32("coap.rc.count", "Retransmission count", base.DEC, nil, nil, "0 or absent: the original"),
  probe = ProtoField.bool("coap.rc.probe", "Probe", base.NONE, nil, nil, "FASOR's value 255"),
  number = ProtoField.uint16("coap.rc.number", "Option number"),
  critical = ProtoField.bool("coap.rc.critical", "Critical"),
  unsafe = ProtoField.bool("coap.rc.unsafe", "Unsafe to forward"),
  no_cache_key = ProtoField.bool("coap.rc.nocachekey", "NoCacheKey"),
  repeatable = ProtoField.bool("coap.rc.repeatable", "Repeatable"),
  exchange = ProtoField.uint32("coap.rc.exchange", "Exchange", base.DEC, nil, nil, "Numbered from 1 in order of capture"),
  copy = ProtoField.uint32("coap.rc.copy", "Copy", base.DEC, nil, nil, "1 is the original, as far as it was captured"),
  again = ProtoField.bool("coap.rc.again", "Seen before", base.NONE, nil, nil, "Another hop or a link-layer repetition"),
  request_in = ProtoField.framenum("coap.rc.request_in", "Request in", base.NONE, frametype.REQUEST),
  response_in = ProtoField.framenum("coap.rc.response_in", "Answer in", base.NONE, frametype.RESPONSE),
  rtt = ProtoField.relative_time("coap.rc.rtt", "Round-trip time", "From the copy that was answered"),
  since_first = ProtoField.relative_time("coap.rc.rtt_first", "Time since the first copy"),
  gap = ProtoField.relative_time("coap.rc.gap", "Time since the copy before"),
  class = ProtoField.uint8("coap.rc.class", "Sample", base.DEC, CLASS_NAMES, nil, "draft-ietf-core-cocoa-03 section 4.2"),
  needless = ProtoField.bool("coap.rc.needless", "Needless retransmission"),
  wasted = ProtoField.uint8("coap.rc.wasted", "Needless copies", base.DEC, nil, nil, "Copies sent after the answered one"),
}

local GROUP, SEVERITY = expert.group, expert.severity

local e = {
  spurious = ProtoExpert.new("coap.rc.spurious", "Needless retransmission: the answer is to an earlier copy", GROUP.SEQUENCE, SEVERITY.NOTE),
  mismatch = ProtoExpert.new("coap.rc.mismatch", "The count echoed is that of no copy captured", GROUP.SEQUENCE, SEVERITY.WARN),
  no_echo = ProtoExpert.new("coap.rc.no_echo", "The request carried a count, the answer does not echo one", GROUP.SEQUENCE, SEVERITY.NOTE),
  empty = ProtoExpert.new("coap.rc.on_empty", "An empty message carries no options (RFC 7252 section 4.1)", GROUP.PROTOCOL, SEVERITY.WARN),
  original = ProtoExpert.new("coap.rc.on_original", "A count above 0 in the first copy captured", GROUP.SEQUENCE, SEVERITY.NOTE),
  repeated = ProtoExpert.new("coap.rc.repeated", "The option is repeated; the first one counts", GROUP.PROTOCOL, SEVERITY.WARN),
  long = ProtoExpert.new("coap.rc.long", "The value is longer than one octet", GROUP.PROTOCOL, SEVERITY.WARN),
  same_count = ProtoExpert.new("coap.rc.same_count", "A new copy with the count of the copy before", GROUP.SEQUENCE, SEVERITY.WARN),
  backward = ProtoExpert.new("coap.rc.backward", "The count is lower than that of the copy before", GROUP.SEQUENCE, SEVERITY.WARN),
  lost = ProtoExpert.new("coap.rc.answer_lost", "The client sent another copy after this: it did not get the answer", GROUP.SEQUENCE, SEVERITY.NOTE),
  damaged = ProtoExpert.new("coap.rc.damaged", "Options end here: the message is damaged", GROUP.MALFORMED, SEVERITY.WARN),
}

local function values(t)
  local list = {}
  for _, value in pairs(t) do list[#list + 1] = value end
  return list
end

rc.fields = values(f)
rc.experts = values(e)

-- Where 802.15.4 is not the link type of the capture (ZEP).
local seq_no = Field.new("wpan.seq_no")

local coap = Dissector.get("coap")
local udp_ports = DissectorTable.get("udp.port")
local taken = {}
local tracker, blind

-- Every UDP port that leads to Wireshark's CoAP dissector leads here first. Decode As entries are in the table too.
local function stand_in_front()
  for port = 1, 65535 do
    local handle = udp_ports:get_dissector(port)
    if handle and tostring(handle) == "CoAP" then
      udp_ports:add(port, rc)
      taken[port] = true
    end
  end
end

local wanted = ""
function rc.prefs_changed()
  if wanted ~= "" then udp_ports:remove(wanted, rc) end
  wanted = tostring(rc.prefs.ports)
  if wanted ~= "" then udp_ports:add(wanted, rc) end
end

local function restart()
  tracker = core.tracker({ option = rc.prefs.option, gap = rc.prefs.gap / 1000 })
  blind = false
end

function rc.init()
  stand_in_front()
  restart()
end

local function nstime(span) return NSTime(span.secs, span.nsecs) end

-- Every 802.15.4 frame passes here first: its type and sequence number are read from its octets, so that they are known
-- without a tree, and acknowledgements, which carry nothing up to CoAP, are heard of.
local link = Proto("coap_rc_link", "802.15.4 for the retransmission count")
local current, waiting = {}, {}

-- IEEE 802.15.4-2015 section 7.2.1: frame type in bits 0 to 2, sequence number suppressed by bit 8.
local function note(tvb, pinfo, at)
  current = { frame = pinfo.number }
  if tvb:captured_len() < at + 3 then return end
  local control = tvb(at, 2):le_uint()
  if math.floor(control / 256) % 2 == 1 then return end
  current.seq = tvb(at + 2, 1):uint()
  if control % 8 ~= 2 then
    waiting = current
  elseif waiting.seq == current.seq and not pinfo.visited then
    tracker:acknowledge(waiting.frame)
  end
end

local function hook(encapsulation, name, start)
  local inner = Dissector.get(name)
  local proto = encapsulation == wtap.IEEE802_15_4 and link or Proto("coap_rc_" .. name, "802.15.4 (" .. name .. ")")
  function proto.dissector(tvb, pinfo, tree)
    note(tvb, pinfo, start(tvb))
    return inner:call(tvb, pinfo, tree)
  end
  DissectorTable.get("wtap_encap"):add(encapsulation, proto)
end
hook(wtap.IEEE802_15_4, "wpan", function() return 0 end)
hook(wtap.IEEE802_15_4_NOFCS, "wpan_nofcs", function() return 0 end)
-- The TAP header's length is in its second 16 bits, and least 4 (spec of link type 283, section 2).
hook(wtap.IEEE802_15_4_TAP or 206, "wpan-tap", function(tvb) return tvb:captured_len() >= 4 and tvb(2, 2):le_uint() or 0 end)

local function link_of(pinfo)
  local src, dst = tostring(pinfo.dl_src), tostring(pinfo.dl_dst)
  local seq
  if current.frame == pinfo.number then
    seq = current.seq
  else
    local field = seq_no()
    seq = field and field.value
  end
  return { src = src ~= "" and src or nil, dst = dst ~= "" and dst or nil, seq = seq, lossy = seq ~= nil }
end

-- Seconds since the first frame, in whole nanoseconds: `abs_ts` is a double too, and has no room for them beside
-- fifty years of seconds.
local function time_of(pinfo)
  local secs = math.floor(pinfo.rel_ts)
  return { secs = secs, nsecs = math.floor((pinfo.rel_ts - secs) * 1e9 + 0.5) }
end

local function show_option(tree, tvb, facts)
  local found, option = facts.rc, facts.rc.option
  local number = option.number
  local range = tvb(option.at, option.length)
  local item
  if found.count then
    item = tree:add(f.count, range, found.count)
    if found.count == core.PROBE then tree:add(f.probe, range, true) end
    if #option.value == 0 then item:append_text(" (original)") end
  else
    item = tree
  end
  local properties = core.properties(number)
  tree:add(f.number, range, number):set_generated()
  tree:add(f.critical, range, properties.critical):set_generated()
  tree:add(f.unsafe, range, properties.unsafe):set_generated()
  tree:add(f.no_cache_key, range, properties.no_cache_key):set_generated()
  tree:add(f.repeatable, range, false):set_generated()
  if found.long then item:add_proto_expert_info(e.long) end
  if found.repeats > 0 then item:add_proto_expert_info(e.repeated) end
  if facts.message.code == 0 then item:add_proto_expert_info(e.empty) end
  return item
end

local function show(tree, tvb, facts)
  local function generated(field, value) return tree:add(field, value):set_generated() end
  local item = tree
  if facts.rc then item = show_option(tree, tvb, facts) end
  if facts.message.damage then
    tree:add_proto_expert_info(e.damaged, "Message damaged at octet " .. facts.message.damage.at .. ": " .. facts.message.damage.text)
  end
  local exchange = facts.exchange
  if not exchange then return end
  generated(f.exchange, exchange.number)
  if facts.copy then generated(f.copy, facts.copy.number + 1) end
  if facts.again or facts.passing then generated(f.again, true) end
  if facts.role == "request" then
    if exchange.ended then generated(f.response_in, exchange.ended.frame) end
    if facts.gap then generated(f.gap, nstime(facts.gap)) end
    if facts.first_in_capture and facts.rc and facts.rc.count and facts.rc.count ~= 0 and facts.rc.count ~= core.PROBE then
      item:add_proto_expert_info(e.original)
    end
    if facts.repeated_count then item:add_proto_expert_info(e.same_count) end
    if facts.backward then item:add_proto_expert_info(e.backward) end
    if exchange.answered and facts.copy.number > exchange.answered.number and not facts.again then
      generated(f.needless, true)
    end
    return
  end
  generated(f.request_in, (facts.copy or exchange.copies[1]).frame)
  if not facts.ends then return end
  if facts.lost then
    item:add_proto_expert_info(e.lost)
    return
  end
  generated(f.since_first, nstime(facts.since_first))
  generated(f.class, CLASSES[facts.class])
  if facts.rtt then generated(f.rtt, nstime(facts.rtt)) end
  if facts.copy then
    local wasted = generated(f.wasted, exchange.needless)
    if exchange.needless > 0 then wasted:add_proto_expert_info(e.spurious) end
  end
  if facts.mismatch then item:add_proto_expert_info(e.mismatch) end
  if facts.no_echo then item:add_proto_expert_info(e.no_echo) end
end

function rc.dissector(tvb, pinfo, tree)
  local ok, used = pcall(coap.call, coap, tvb, pinfo, tree)
  -- A message quoted in an ICMP error was not sent here.
  if pinfo.in_error_pkt then return ok and used or tvb:len() end

  local link = link_of(pinfo)
  -- `tshark -2` builds no trees in its first pass, so that sequence numbers, which 802.15.4 needs, cannot be read; its
  -- second pass goes through all frames once more in order, and counts. (Ethernet addresses print as 17 characters.)
  if pinfo.visited and blind then restart() end
  if not pinfo.visited and link.src and #link.src ~= 17 and not link.seq and not tree.visible then blind = true end

  local frame = pinfo.number
  local list = tracker.facts[frame]
  if not list then
    local message = core.parse(tvb:raw())
    if message then
      local from = tostring(pinfo.src) .. ":" .. pinfo.src_port
      local to = tostring(pinfo.dst) .. ":" .. pinfo.dst_port
      tracker:see(frame, time_of(pinfo), from, to, message, link)
    end
    list = tracker.facts[frame] or {}
  end
  if #list > 0 then
    local under = tree:add(rc, tvb())
    for _, facts in ipairs(list) do show(under, tvb, facts) end
  end
  return ok and used or tvb:len()
end

-- `-X lua_script1:stats` prints the table at the end of tshark's output; in Wireshark it is in the Tools menu.
if gui_enabled() then
  -- Asks for trees when a file is loaded, so that sequence numbers can be read then and not after the first click.
  Listener.new("frame")
  register_menu("CoAP RTO/Round trips per client", function()
    local window = TextWindow.new("CoAP RTO: round trips per client")
    window:set(tracker and tracker:report() or "No capture is open.")
  end, MENU_TOOLS_UNSORTED)
elseif arguments[1] == "stats" then
  local tap = Listener.new("frame")
  function tap.draw() print(tracker:report()) end
end
