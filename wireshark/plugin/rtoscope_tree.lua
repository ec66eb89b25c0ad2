-- Adds the facts of a message to Wireshark's tree.

local coap = require("rtoscope_message")
local fields = require("rtoscope_fields")

-- Nanoseconds as Wireshark's time.
local function nstime(span) return NSTime(math.floor(span / 1000000000), span % 1000000000) end

local shown = {}

--- True where an expert info may be added: Wireshark counts these even when the tree is not shown.
function shown.is_notable(facts)
  local rc, exchange = facts.rc, facts.exchange
  if facts.damage or facts.lost or facts.mismatch or facts.no_echo then return true end
  if rc and (rc.long or rc.repeats > 0 or facts.code == 0) then return true end
  if rc and facts.first_in_capture and rc.count ~= 0 then return true end
  return facts.repeated_count or facts.backward or facts.ends and exchange.answered and exchange.needless > 0
end

--- Returns a function that adds the facts of a message as items.
-- @param f, e fields and experts by name, from `rtoscope_fields.declare`
-- @return function(tree, tvb, facts)
function shown.adder(f, e)
  local function show_option(tree, tvb, facts)
    local found, option = facts.rc, facts.rc.option
    local range = tvb(option.at, option.length)
    local item = tree
    if found.count then
      item = tree:add(f.count, range, found.count)
      if found.count == coap.PROBE then tree:add(f.probe, range, true) end
      if option.length == option.value_at - option.at then item:append_text(" (original)") end
    end
    local properties = coap.properties(option.number)
    tree:add(f.number, range, option.number):set_generated()
    tree:add(f.critical, range, properties.critical):set_generated()
    tree:add(f.unsafe, range, properties.unsafe):set_generated()
    tree:add(f.no_cache_key, range, properties.no_cache_key):set_generated()
    tree:add(f.repeatable, range, false):set_generated()
    if found.long then item:add_proto_expert_info(e.long) end
    if found.repeats > 0 then item:add_proto_expert_info(e.repeated) end
    if facts.code == 0 then item:add_proto_expert_info(e.on_empty) end
    return item
  end

  local function show_request(generated, item, facts)
    local exchange, rc = facts.exchange, facts.rc
    if exchange.ended then generated(f.response_in, exchange.ended.frame) end
    if facts.gap then generated(f.gap, nstime(facts.gap)) end
    local counted = rc and rc.count and rc.count ~= 0 and rc.count ~= coap.PROBE
    if facts.first_in_capture and counted then item:add_proto_expert_info(e.on_original) end
    if facts.repeated_count then item:add_proto_expert_info(e.same_count) end
    if facts.backward then item:add_proto_expert_info(e.backward) end
    if exchange.answered and facts.copy.number > exchange.answered.number and not facts.again then
      generated(f.needless, true)
    end
  end

  local function show_reply(generated, item, facts)
    local exchange = facts.exchange
    generated(f.request_in, (facts.copy or exchange.copies[1]).frame)
    if facts.lost then item:add_proto_expert_info(e.answer_lost) end
    if not facts.ends then return end
    generated(f.since_first, nstime(facts.since_first))
    generated(f.class, fields.CLASSES[facts.class])
    if facts.rtt then
      generated(f.rtt, nstime(facts.rtt))
      local wasted = generated(f.wasted, math.min(exchange.needless, 255))
      if exchange.needless > 0 then wasted:add_proto_expert_info(e.spurious) end
    end
    if facts.mismatch then item:add_proto_expert_info(e.mismatch) end
    if facts.no_echo then item:add_proto_expert_info(e.no_echo) end
  end

  return function(tree, tvb, facts)
    local function generated(field, value) return tree:add(field, value):set_generated() end
    local item = facts.rc and show_option(tree, tvb, facts) or tree
    if facts.damage then
      local text = "Message damaged at octet " .. facts.damage.at .. ": " .. facts.damage.text
      tree:add_proto_expert_info(e.damaged, text)
    end
    if not facts.exchange then return end
    generated(f.exchange, facts.exchange.number)
    if facts.copy then generated(f.copy, facts.copy.number + 1) end
    if facts.again or facts.passing then generated(f.again, true) end
    if facts.role == "request" then
      show_request(generated, item, facts)
    else
      show_reply(generated, item, facts)
    end
  end
end

return shown
