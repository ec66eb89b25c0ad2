-- RTOscope's dissector of the CoAP retransmission-count (RC) option, for Wireshark and tshark 4.0 (Lua 5.2) to 4.6
-- (Lua 5.4).
--
-- Wireshark's own dissector does not know the option, and measures response times from the first copy. This one
-- registers in front of it on every port that leads to CoAP, Decode As included. It passes each message on and adds the
-- option and the exchange under it. A post-dissector would do too, but makes Wireshark build the whole tree of every
-- frame (test/bench.mjs measures both).
--
--   rtoscope_message     octets -> message, option         rtoscope_link    802.15.4 frames
--   rtoscope_exchanges   messages -> exchanges             rtoscope_fields  fields and expert infos
--   rtoscope_report      exchanges -> a table              rtoscope_tree    items of the tree
--   rtoscope_open        packets on display -> RTOscope    rtoscope_call    calls of Wireshark's dissectors

-- Wireshark loads the files of a plugin folder in an unsuitable order, and its search path differs by version.
package.path = (__DIR__ or ""):gsub("[^/\\]$", "%0/") .. "?.lua;" .. package.path

local arguments = { ... }
local call = require("rtoscope_call")
local coap = require("rtoscope_message")
local exchanges = require("rtoscope_exchanges")
local fields = require("rtoscope_fields")
local link = require("rtoscope_link")
local report = require("rtoscope_report")

local floor = math.floor

-- Facts of frames are never freed, so little of the memory in use is garbage. Collecting each time that memory has
-- doubled took a fifth of all the time. (The default is 200: Lua reference manual, section 2.5.)
collectgarbage("setpause", 400)

local rc = Proto("coap_rc", "CoAP Retransmission Count")

-- Lee, Kim and Youn 2016 (the RC option) leave the number open. 65020 is the first number for experiments (RFC 7252
-- section 12.2) that is elective, safe to forward and no part of the cache key (section 5.4.6).
rc.prefs.option = Pref.uint("Option number", 65020, "Number of the retransmission-count option")
rc.prefs.ports = Pref.range("More CoAP ports", "", "UDP ports with CoAP beside 5683 and those of Decode As", 65535)
rc.prefs.gap =
  Pref.uint("Repetition gap (ms)", 100, "Without sequence numbers, equal 802.15.4 messages this close are repetitions")
rc.prefs.stats = Pref.bool("Table at the end (tshark)", false, "Print round trips per client after the last packet")
rc.prefs.program = Pref.string("RTOscope", "rtoscope-app", "Program for Tools > CoAP RTO > Open in RTOscope")

local shown = require("rtoscope_tree")
local of_rc, experts = fields.declare(rc)
local add = shown.adder(of_rc, experts)

-- State of a capture: tracker of exchanges, time of the first frame in s, names of endpoints, options to read, and the
-- last answer of `is_asked_for` with its frame.
local tracker, origin, names, wanted_options, asked, asked_at

-- Name of Wireshark's ZEP dissector, and the one in front of it.
local zep = link.listen(function(frame) tracker:acknowledge(frame) end)

local udp_ports, dtls_ports = DissectorTable.get("udp.port"), DissectorTable.get("dtls.port")
local wireshark_coap = Dissector.get("coap")
local coap_name = tostring(wireshark_coap)

-- Dissectors that were registered before this one, by port; `false` where there was none.
local replaced = {}
-- CoAP dissectors among them, which this one calls.
local inner = {}

-- Registers `proto` on a port; with `keep`, the dissector before it is put back when the preference changes.
local function take(ports, port, proto, keep)
  local handle = ports:get_dissector(port)
  ports:add(port, proto)
  if keep then replaced[port] = handle or false end
end

-- Registers this dissector on every port that leads to Wireshark's CoAP dissector. Entries of Decode As are in the same
-- table, and may change between one start and the next.
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

-- Prints the table after the last packet. A listener makes Wireshark build the tree of every frame, so that it is
-- created on request only.
local prints_at_end = false
local function print_at_end()
  if prints_at_end or gui_enabled() then return end
  prints_at_end = true
  local tap = Listener.new("frame")
  function tap.draw() print(report.text(tracker)) end
end

-- Ports of the preference that are registered, as its text.
local wanted = ""
function rc.prefs_changed()
  if rc.prefs.stats then print_at_end() end
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
  tracker = exchanges.tracker({ option = rc.prefs.option, gap = rc.prefs.gap * 1000000 })
  wanted_options = { [rc.prefs.option] = true, [coap.OBSERVE] = true }
  origin, names, asked_at = nil, {}, nil
  link.restart()
end

-- Whole nanoseconds since the first frame. `abs_ts` is a double, exact to microseconds only. `rel_ts` is exact, but
-- restarts at every time reference that the user sets in the window; there `abs_ts` gives the distance to the first
-- frame.
local in_window = gui_enabled()
local function time_of(pinfo)
  local since = pinfo.rel_ts
  local secs = floor(since)
  local at = secs * 1000000000 + floor((since - secs) * 1e9 + 0.5)
  if not in_window then return at end
  local start = pinfo.abs_ts - since
  origin = origin or start
  return at + floor((start - origin) * 1e6 + 0.5) * 1000
end

-- Returns "address:port"; each string is built once.
local function endpoint(address, port)
  local text = tostring(address)
  local ports = names[text]
  if not ports then
    ports = {}
    names[text] = ports
  end
  local name = ports[port]
  if not name then
    name = text .. ":" .. port
    ports[port] = name
  end
  return name
end

-- Facts of the CoAP message in `tvb`, of which `captured` octets are there; nil where it is none. `cut`: not all of it
-- was captured.
local function facts_of(tvb, pinfo, number, captured, cut)
  -- An ICMP error quotes a message that was sent elsewhere.
  if captured == 0 or pinfo.in_error_pkt then return nil end
  local message = coap.parse(tvb:raw(0, captured), wanted_options)
  if not message then return nil end
  -- A message that ends early here was cut by the snap length, not damaged.
  if cut then message.damage = nil end
  local from, to = endpoint(pinfo.src, pinfo.src_port), endpoint(pinfo.dst, pinfo.dst_port)
  return tracker:see(number, time_of(pinfo), from, to, message, link.of(pinfo, number))
end

-- True where a filter, a column, a tap or the visible tree refers to one of the fields. Checking all fields takes as
-- long as reading the message. In tshark the answer is the same for all frames of a pass, so it is checked once a pass;
-- a frame number that does not rise begins another. (Wireshark reports every protocol as referenced.)
local function is_asked_for(tree, number)
  if in_window or not asked_at or number <= asked_at then
    asked = false
    for _, field in pairs(of_rc) do asked = asked or tree:referenced(field) end
  end
  asked_at = number
  return asked
end

-- Adds the items. Items that nothing refers to are left out, since adding them takes half of the time; the protocol
-- itself is always added for filters.
local function show(tree, tvb, number, facts)
  if is_asked_for(tree, number) or shown.is_notable(facts) then
    add(tree:add(rc, tvb()), tvb, facts)
  else
    tree:add(rc)
  end
end

function rc.dissector(tvb, pinfo, tree)
  local next_one = inner[pinfo.match_uint] or wireshark_coap
  local number, captured = pinfo.number, tvb:captured_len()
  local cut = captured < tvb:reported_len()
  local facts = facts_of(tvb, pinfo, number, captured, cut)
  -- The dissection of a cut message may raise an exception and not return.
  if facts and cut then show(tree, tvb, number, facts) end
  local used = call.dissector(next_one, tvb, pinfo, tree, number)
  if facts and not cut then show(tree, tvb, number, facts) end
  return used
end

if gui_enabled() then
  register_menu("CoAP RTO/Round trips per client", function()
    local window = TextWindow.new("CoAP RTO: round trips per client")
    local function show_table() window:set(tracker and report.text(tracker) or "No capture is open.") end
    -- The capture may still be running.
    window:add_button("Update", show_table)
    show_table()
  end, MENU_TOOLS_UNSORTED)
  local open = require("rtoscope_open")
  register_menu("CoAP RTO/Open in RTOscope", function() open.displayed(rc.prefs.program) end, MENU_TOOLS_UNSORTED)
elseif arguments[1] == "stats" then
  -- `-X lua_script1:stats` reaches scripts of `-X lua_script` only, not installed ones.
  print_at_end()
end
