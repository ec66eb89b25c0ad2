-- For bench.mjs: does the work of ../plugin after Wireshark has dissected each frame. The fields below make Wireshark
-- build the whole tree of every frame, which is the cost of this way.
package.path = __DIR__:gsub("[^/\\]$", "%0/") .. "../plugin/?.lua;" .. package.path
local coap = require("rtoscope_message")
local exchanges = require("rtoscope_exchanges")

local proto = Proto("coap_rc_after", "CoAP Retransmission Count, afterwards")
local show = require("rtoscope_tree").adder(require("rtoscope_fields").declare(proto))
local coap_item, seq_no, time = Field.new("coap"), Field.new("wpan.seq_no"), Field.new("frame.time_epoch")
local tracker

function proto.init() tracker = exchanges.tracker({ option = 65020 }) end

function proto.dissector(_, pinfo, tree)
  local item = coap_item()
  if not item then return end
  local message = coap.parse(item.range:raw())
  if not message then return end
  local from, to = tostring(pinfo.src) .. ":" .. pinfo.src_port, tostring(pinfo.dst) .. ":" .. pinfo.dst_port
  local seq, at = seq_no(), time().value
  local link = { src = tostring(pinfo.dl_src), dst = tostring(pinfo.dl_dst), seq = seq and seq.value, lossy = true }
  local moment = at.secs * 1000000000 + at.nsecs
  show(tree:add(proto, item.range), item.range:tvb(), tracker:see(pinfo.number, moment, from, to, message, link))
end

register_postdissector(proto)
