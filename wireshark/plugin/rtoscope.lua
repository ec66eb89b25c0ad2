-- RTOscope's dissector of the CoAP retransmission-count (RC) option, for Wireshark and tshark 4.0 (Lua 5.2) to 4.6
-- (Lua 5.4).
--
-- Wireshark's own dissector does not know the option, and measures response times from the first copy. This one stands
-- in front of it on every port that leads to CoAP, Decode As included, hands it each message, and adds under it what
-- the option says and what follows from it. A post-dissector would do too, but makes Wireshark build the whole tree of
-- every frame (test/bench.mjs measures both).
--
--   rtoscope_message     octets -> message, option         rtoscope_link    what 802.15.4 frames say
--   rtoscope_exchanges   messages -> exchanges             rtoscope_fields  what can be shown
--   rtoscope_report      exchanges -> a table              rtoscope_tree    showing it
--   rtoscope_open        packets on display -> RTOscope    rtoscope_call    calling Wireshark's dissectors

-- Wireshark loads the files of a plugin folder in no order that helps, and its search path differs by version.
package.path = (__DIR__ or ""):gsub("[^/\\]$", "%0/") .. "?.lua;" .. package.path

local arguments = { ... }
local call = require("rtoscope_call")
local coap = require("rtoscope_message")
local exchanges = require("rtoscope_exchanges")
local fields = require("rtoscope_fields")
local link = require("rtoscope_link")
local report = require("rtoscope_report")

local rc = Proto("coap_rc", "CoAP Retransmission Count")

-- Lee, Kim and Youn 2016 (the RC option) leave the number open. 65020 is the first one for experiments (RFC 7252
-- section 12.2) that is elective, safe to forward and no part of the cache key (section 5.4.6).
rc.prefs.option = Pref.uint("Option number", 65020, "Number of the retransmission-count option")
rc.prefs.ports = Pref.range("More CoAP ports", "", "UDP ports with CoAP beside 5683 and those of Decode As", 65535)
rc.prefs.gap =
  Pref.uint("Repetition gap (ms)", 100, "Without sequence numbers, equal 802.15.4 messages this close are repetitions")
rc.prefs.program = Pref.string("RTOscope", "rtoscope-app", "Program for Tools > CoAP RTO > Open in RTOscope")

local shown = require("rtoscope_tree")
local add = shown.adder(fields.declare(rc))

local tracker, origin, wanted_options

local zep = link.listen(function(frame) tracker:acknowledge(frame) end)

local udp_ports, dtls_ports = DissectorTable.get("udp.port"), DissectorTable.get("dtls.port")
local wireshark_coap = Dissector.get("coap")
local coap_name = tostring(wireshark_coap)

-- The dissectors that stood at the ports that lead here now, by port: `false` where there was none.
local replaced = {}
-- Of these, the ones of CoAP, to be called.
local inner = {}

local function take(ports, port, proto, keep)
  local handle = ports:get_dissector(port)
  ports:add(port, proto)
  if keep then replaced[port] = handle or false end
end

-- Every port that leads to Wireshark's CoAP dissector leads here first. Decode As entries are in the table too, and
-- are made known between one start and the next.
local function stand_in_front()
  for port = 1, 65535 do
    local handle = udp_ports:get_dissector(port)
    local name = handle and tostring(handle)
    if name == coap_name then
      inner[port] = handle
      take(udp_ports, port, rc)
    elseif name == zep.name then
      take(udp_ports, port, zep.proto)
    end
    local secured = dtls_ports:get_dissector(port)
    if secured and tostring(secured) == coap_name then take(dtls_ports, port, rc) end
  end
end

-- "5683,61616-61631" -> calls `act` with each port.
local function each_port(range, act)
  for first, last in range:gmatch("(%d+)%-?(%d*)") do
    for port = tonumber(first), tonumber(last) or tonumber(first) do act(port) end
  end
end

local wanted = ""
function rc.prefs_changed()
  local ports = tostring(rc.prefs.ports)
  if ports == wanted then return end
  each_port(wanted, function(port)
    udp_ports:remove(port, rc)
    if replaced[port] then udp_ports:add(port, replaced[port]) end
    replaced[port] = nil
  end)
  each_port(ports, function(port) take(udp_ports, port, rc, true) end)
  wanted = ports
end

function rc.init()
  stand_in_front()
  tracker = exchanges.tracker({ option = rc.prefs.option, gap = rc.prefs.gap / 1000 })
  wanted_options = { [rc.prefs.option] = true, [coap.OBSERVE] = true }
  origin = nil
  link.restart()
end

-- Seconds since the first frame, in whole nanoseconds. `abs_ts` is a double and has no room for them beside fifty years
-- of seconds; `rel_ts` starts anew at every time reference that the user sets, and then `abs_ts`, which is good for
-- microseconds, tells how far that is from the first.
local function time_of(pinfo)
  local since = pinfo.rel_ts
  local start = pinfo.abs_ts - since
  origin = origin or start
  local shift = math.floor((start - origin) * 1e6 + 0.5)
  local secs = math.floor(since)
  local nsecs = math.floor((since - secs) * 1e9 + 0.5)
  if shift ~= 0 then
    nsecs = nsecs + shift % 1000000 * 1000
    secs = secs + math.floor(shift / 1000000)
  end
  return { secs = secs + math.floor(nsecs / 1000000000), nsecs = nsecs % 1000000000 }
end

local function facts_of(tvb, pinfo)
  -- A message quoted in an ICMP error was not sent here.
  if pinfo.in_error_pkt or tvb:captured_len() == 0 then return nil end
  local message = coap.parse(tvb:raw(0, tvb:captured_len()), wanted_options)
  if not message then return nil end
  -- What ends early was cut off by who captured it.
  if call.is_cut(tvb) then message.damage = nil end
  local from = tostring(pinfo.src) .. ":" .. pinfo.src_port
  local to = tostring(pinfo.dst) .. ":" .. pinfo.dst_port
  return tracker:see(pinfo.number, time_of(pinfo), from, to, message, link.of(pinfo))
end

-- Adding to a tree that nobody looks at takes as long as all the rest: only where a filter, a column or a person asks.
local this
local function show(tree, tvb, facts)
  this = this or Dissector.get("coap_rc")
  if tree:referenced(this) or shown.is_notable(facts) then add(tree:add(rc, tvb()), tvb, facts) end
end

function rc.dissector(tvb, pinfo, tree)
  local next_one = inner[pinfo.match_uint] or wireshark_coap
  local facts = facts_of(tvb, pinfo)
  -- The dissection of what was cut off may not come back here.
  local first = call.is_cut(tvb)
  if facts and first then show(tree, tvb, facts) end
  local used = call.dissector(next_one, tvb, pinfo, tree)
  if facts and not first then show(tree, tvb, facts) end
  return used
end

-- `-X lua_script1:stats` prints the table at the end of tshark's output; in Wireshark it is in the Tools menu.
if gui_enabled() then
  register_menu("CoAP RTO/Round trips per client", function()
    local window = TextWindow.new("CoAP RTO: round trips per client")
    window:set(tracker and report.text(tracker) or "No capture is open.")
  end, MENU_TOOLS_UNSORTED)
  local open = require("rtoscope_open")
  register_menu("CoAP RTO/Open in RTOscope", function() open.displayed(rc.prefs.program) end, MENU_TOOLS_UNSORTED)
elseif arguments[1] == "stats" then
  local tap = Listener.new("frame")
  function tap.draw() print(report.text(tracker)) end
end
