-- Reads 802.15.4 frames before the layers above are dissected: sequence numbers, which distinguish a link-layer retry
-- from a new copy, and acknowledgements, which never reach CoAP. Read from the octets and not from the tree, because
-- `tshark -2` builds none in its first pass.

local call = require("rtoscope_call")

local link = {}

local byte = string.byte

-- Each function below returns the offset of the MAC header in a frame of one encapsulation, in octets; nil where it
-- has none.
local function at_start() return 0 end

-- Link type 283: the length of the TAP header is in its second 16 bits (TAP specification, section 2).
local function after_tap(tvb)
  if tvb:captured_len() < 4 then return nil end
  local low, high = byte(tvb:raw(2, 2), 1, 2)
  return low + high * 256
end

-- Link type 215: four octets of preamble, the start of frame delimiter and the length before the MAC header.
local function after_phy() return 6 end

-- ZEP: "EX", version; version 1 has 16 octets of header; version 2 has 32 for data (type 1), and acknowledgements of
-- its own that carry no frame.
local function after_zep(tvb)
  if tvb:captured_len() < 4 then return nil end
  local version, kind = byte(tvb:raw(2, 2), 1, 2)
  if version == 1 then return 16 end
  return version == 2 and kind == 1 and 32 or nil
end

-- Seconds from the start of a frame within which its acknowledgement starts: before the next TSCH slot (10 ms), and at
-- 50 kbit/s 30 ms.
local ACK_WAIT = 0.03

-- The frame in dissection, and its sequence number where it has one.
local current, current_seq
-- The latest frame so far. Earlier ones may come again, in a second pass or by a click, in any order.
local latest = 0
-- Last frame with a sequence number, and its time, by that number.
local recent, recent_at = {}, {}

-- Notes the sequence number of a frame, or calls `acknowledged` with the number of the frame that it acknowledges.
-- IEEE 802.15.4-2015 section 7.2.1: frame type in bits 0 to 2; 1 is data, 2 an acknowledgement, 3 a command. Bit 8
-- suppresses the sequence number; before 2015 it was reserved.
local function note(tvb, pinfo, number, at, acknowledged)
  current, current_seq = number, nil
  if not at or tvb:captured_len() < at + 3 then return end
  local control, more, seq = byte(tvb:raw(at, 3), 1, 3)
  local kind = control % 8
  if kind < 1 or kind > 3 or more % 2 == 1 then return end
  current_seq = seq
  if number < latest then return end
  latest = number
  if kind ~= 2 then
    recent[seq], recent_at[seq] = number, pinfo.rel_ts
  elseif recent[seq] then
    if pinfo.rel_ts - recent_at[seq] <= ACK_WAIT then acknowledged(recent[seq]) end
    recent[seq] = nil
  end
end

-- Returns a dissector that notes the frame and passes it on. Each encapsulation has its own Proto, because Wireshark
-- does not tell a dissector which table entry led to it.
local function in_front_of(inner, name, what, start, acknowledged)
  local proto = Proto(name, "CoAP Retransmission Count: " .. what)
  function proto.dissector(tvb, pinfo, tree)
    local number = pinfo.number
    note(tvb, pinfo, number, start(tvb), acknowledged)
    return call.dissector(inner, tvb, pinfo, tree, number)
  end
  return proto
end

--- Registers in front of every dissector of 802.15.4 frames but that of ZEP, which has ports.
-- @param acknowledged called with the number of a frame that the link layer acknowledged
-- @return {name = of Wireshark's ZEP dissector, proto = the one to put in front of it}
function link.listen(acknowledged)
  local types = wtap_encaps or wtap
  local encapsulations = DissectorTable.get("wtap_encap")
  local listeners = {
    { types.IEEE802_15_4, "coap_rc_wpan", "802.15.4", at_start },
    { types.IEEE802_15_4_NOFCS, "coap_rc_wpan_nofcs", "802.15.4 without FCS", at_start },
    { types.IEEE802_15_4_NONASK_PHY, "coap_rc_wpan_phy", "802.15.4 with PHY header", after_phy },
    { types.IEEE802_15_4_TAP, "coap_rc_wpan_tap", "802.15.4 TAP", after_tap },
  }
  for _, listener in ipairs(listeners) do
    local encapsulation, name, what, start = table.unpack(listener, 1, 4)
    local inner = encapsulation and encapsulations:get_dissector(encapsulation)
    if inner then encapsulations:add(encapsulation, in_front_of(inner, name, what, start, acknowledged)) end
  end
  local zep = Dissector.get("zep")
  return { name = tostring(zep), proto = in_front_of(zep, "coap_rc_zep", "ZEP", after_zep, acknowledged) }
end

--- Forgets all frames: another capture begins.
function link.restart()
  current, current_seq, latest = nil, nil, 0
  recent, recent_at = {}, {}
end

-- An address as text; nil where there is none.
local function text(address)
  local shown = tostring(address)
  return shown ~= "" and shown or nil
end

-- One table, reused for all messages.
local about = {}

--- Sender, receiver and sequence number of the frame in dissection, for `rtoscope_exchanges`. Receivers are given for
-- 802.15.4 only, where they identify the hop: on Ethernet answers may take another way, and cooked captures have none.
-- @return a table that is valid until the next message
function link.of(pinfo, number)
  local lossy = current == number
  about.src = text(pinfo.dl_src)
  about.dst = lossy and text(pinfo.dl_dst) or nil
  about.seq = lossy and current_seq or nil
  about.lossy = lossy
  return about
end

return link
