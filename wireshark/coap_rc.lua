-- CoAP messages and exchanges for the retransmission-count (RC) option: no Wireshark in here, so that plain Lua 5.2 to
-- 5.4 can test it. `rtoscope.lua` is the part that Wireshark sees.
--
--   parse(octets)            octets of one UDP payload -> message, or nil and what is wrong where
--   read_rc(message, number) message -> the RC option in it, or nil
--   tracker(settings)        follows messages in order of capture and says of each what it is in its exchange
--
-- Arithmetic stays within whole numbers below 2^53, which Lua 5.2's doubles and 5.4's integers print alike.

local core = {}

-- RFC 7252 section 3: Type.
core.CON, core.NON, core.ACK, core.RST = 0, 1, 2, 3

-- RFC 7252 section 4.8.2: after EXCHANGE_LIFETIME a Message ID may name another message.
core.EXCHANGE_LIFETIME = 247

-- RFC 7641 section 2: Observe. Notifications repeat the token of the request and count nothing.
core.OBSERVE = 6

-- draft-jarvinen-core-fasor-00: the value that marks a probe; an empty value marks the original.
core.PROBE = 255

local byte, sub, format, floor = string.byte, string.sub, string.format, math.floor

local function hex(octets)
  return (octets:gsub(".", function(c) return format("%02x", byte(c)) end))
end

-- Extended option delta or length (RFC 7252 section 3.1): the nibble's value, and where the next field starts.
local function extended(octets, nibble, at)
  if nibble < 13 then return nibble, at end
  if nibble == 13 then
    local one = byte(octets, at)
    if not one then return nil, at end
    return one + 13, at + 1
  end
  local high, low = byte(octets, at, at + 1)
  if not low then return nil, at end
  return high * 256 + low + 269, at + 2
end

--- Read one CoAP message (RFC 7252 section 3), strictly.
-- Offsets count octets from 0 at the start of the message, as Wireshark's ranges do.
-- @param octets string: the UDP payload
-- @return message {type, code, mid, token (hex), token_length, options {number, at, length, value_at, value},
--   payload_at}, or nil, what is wrong, and the offset of the octet that is. A message whose header is whole but whose
--   options are not comes back with `damage = {text, at}` and the options before the damage.
function core.parse(octets)
  local first, code, mid_high, mid_low = byte(octets, 1, 4)
  if not mid_low then return nil, "shorter than the four octets of a header", #octets end
  if floor(first / 64) ~= 1 then return nil, format("version %d", floor(first / 64)), 0 end
  local token_length = first % 16
  if token_length > 8 then return nil, format("token length %d", token_length), 0 end
  if #octets < 4 + token_length then return nil, "token cut off", #octets end

  local message = {
    type = floor(first / 16) % 4,
    code = code,
    mid = mid_high * 256 + mid_low,
    token = hex(sub(octets, 5, 4 + token_length)),
    token_length = token_length,
    options = {},
  }
  if code == 0 and #octets > 4 then
    -- RFC 7252 section 4.1: an Empty message ends after the Message ID.
    message.damage = { text = "octets after the header of an empty message", at = 4 }
  end

  local at, number = 5 + token_length, 0
  while at <= #octets do
    local start, lead = at, byte(octets, at)
    if lead == 0xff then
      message.payload_at = at
      if at == #octets then message.damage = { text = "payload marker without payload", at = at - 1 } end
      break
    end
    local delta, length = floor(lead / 16), lead % 16
    if delta == 15 or length == 15 then
      message.damage = { text = "option nibble 15 that is no payload marker", at = start - 1 }
      break
    end
    local after
    delta, after = extended(octets, delta, at + 1)
    if delta then length, after = extended(octets, length, after) end
    if not delta or not length then
      message.damage = { text = "option header cut off", at = start - 1 }
      break
    end
    number = number + delta
    if number > 65535 then
      message.damage = { text = format("option number %d", number), at = start - 1 }
      break
    end
    if after + length - 1 > #octets then
      message.damage = { text = format("option %d cut off", number), at = start - 1 }
      break
    end
    message.options[#message.options + 1] = {
      number = number,
      at = start - 1,
      length = after + length - start,
      value_at = after - 1,
      value = sub(octets, after, after + length - 1),
    }
    at = after + length
  end
  return message
end

--- The properties that an option number carries (RFC 7252 section 5.4.6).
function core.properties(number)
  local unsafe = floor(number / 2) % 2 == 1
  return {
    critical = number % 2 == 1,
    unsafe = unsafe,
    -- Says nothing for options that are unsafe to forward.
    no_cache_key = not unsafe and floor(number / 2) % 16 == 14,
  }
end

function core.has_option(message, number)
  for _, option in ipairs(message.options) do
    if option.number == number then return true end
  end
  return false
end

--- The RC option of a message: an unsigned integer of 0 or 1 octet, the empty value being 0 (Lee, Kim and Youn 2016,
-- section IV; draft-jarvinen-core-fasor-00).
-- @return {count, option, repeats, long}, or nil without one. `long`: more than one octet, so the count is that of the
-- whole value where it fits four octets and nil where it does not.
function core.read_rc(message, number)
  local found
  for _, option in ipairs(message.options) do
    if option.number == number then
      if found then
        found.repeats = found.repeats + 1
      else
        local count = 0
        if #option.value > 4 then
          count = nil
        else
          for i = 1, #option.value do count = count * 256 + byte(option.value, i) end
        end
        found = { count = count, option = option, repeats = 0, long = #option.value > 1 }
      end
    end
  end
  return found
end

-- Times are {secs, nsecs}, as Wireshark's NSTime has them: subtracting whole numbers is exact.
local function minus(a, b)
  local secs, nsecs = a.secs - b.secs, a.nsecs - b.nsecs
  if nsecs < 0 then secs, nsecs = secs - 1, nsecs + 1000000000 end
  return { secs = secs, nsecs = nsecs }
end
core.minus = minus

--- A span as seconds, for statistics.
function core.seconds(span) return span.secs + span.nsecs / 1e9 end

local function before(span, seconds) return core.seconds(span) < seconds end

local Tracker = {}
Tracker.__index = Tracker

--- Follows messages in order of capture.
-- @param settings {option = RC option number, gap = seconds under which two equal CONs without RC count as link-layer
--   repetitions where nothing better tells (see `sighting`)}
function core.tracker(settings)
  return setmetatable({
    option = settings.option,
    gap = settings.gap or 0.1,
    by_mid = {}, -- "client|server|MID" -> exchange
    by_token = {}, -- "client|server|token" -> exchange
    echoes = {}, -- server -> true, once it has echoed a count
    exchanges = {},
    facts = {}, -- frame -> list of facts, in order of the messages in the frame
  }, Tracker)
end

local function key(client, server, name) return client .. "|" .. server .. "|" .. name end

-- Whether a CON seen again is the same transmission seen again: a link-layer retry (same sender, same sequence number),
-- or another node forwarding it (other sender). A node that is not the one first seen never starts a copy, so what is
-- left is the first sender with a new sequence number, and that is a new copy. Without link-layer addresses or numbers,
-- only time is left.
local function sighting(self, exchange, copy, link, at)
  if link.src and exchange.link.src and link.src ~= exchange.link.src then return true end
  if link.seq and copy.link.seq then return link.seq == copy.link.seq end
  if link.seq or copy.link.seq or link.lossy then return before(minus(at, copy.at), self.gap) end
  return false
end

-- A client that has its answer sends no more copies: a new one says that the answer did not get there, unless the link
-- layer acknowledged it; then the copy had been waiting in the client's queue. What was told of a lost answer stands in
-- what one pass has printed already; a second pass, or a click, knows better.
local function reopen(exchange)
  if not exchange.ended or exchange.ended.acked then return end
  exchange.ended.facts.lost = true
  exchange.ended, exchange.answered, exchange.acknowledgement, exchange.response = nil, nil, nil, nil
end

-- Copies are numbered by their count where they carry one: some never go on the air, or were not captured.
local function new_copy(exchange, frame, at, count, link)
  reopen(exchange)
  local before_it = exchange.copies[#exchange.copies]
  local number = before_it and before_it.number + 1 or 0
  if count and count ~= core.PROBE then number = count end
  local copy = { frame = frame, at = at, count = count, link = link, number = number }
  exchange.copies[#exchange.copies + 1] = copy
  -- It had been waiting when the answer came, and was needless too.
  if exchange.answered then exchange.needless = math.max(exchange.needless, number - exchange.answered.number) end
  return copy
end

local function last_copy(exchange) return exchange.copies[#exchange.copies] end

function Tracker:open(message, from, to, frame, at, link, count)
  local exchange = {
    number = #self.exchanges + 1,
    client = from,
    server = to,
    type = message.type,
    mid = message.mid,
    token = message.token,
    link = link,
    at = at,
    copies = {},
  }
  new_copy(exchange, frame, at, count, link)
  self.exchanges[exchange.number] = exchange
  self.by_mid[key(from, to, message.mid)] = exchange
  self.by_token[key(from, to, message.token)] = exchange
  return exchange
end

function Tracker:request(message, from, to, frame, at, link, rc)
  local count = rc and rc.count
  local exchange = self.by_mid[key(from, to, message.mid)]
  if exchange and (exchange.token ~= message.token or not before(minus(at, exchange.at), core.EXCHANGE_LIFETIME)) then
    exchange = nil
  end
  if not exchange then
    exchange = self:open(message, from, to, frame, at, link, count)
    return { role = "request", exchange = exchange, copy = exchange.copies[1], first_in_capture = true }
  end

  local latest = last_copy(exchange)
  local gap = minus(at, latest.at)
  -- A count seen before is that copy again, whatever node sends it.
  if count and count ~= core.PROBE then
    for _, copy in ipairs(exchange.copies) do
      if copy.count == count then
        if sighting(self, exchange, copy, link, at) or copy ~= latest then
          return { role = "request", exchange = exchange, copy = copy, again = true }
        end
        local repeated = new_copy(exchange, frame, at, count, link)
        return { role = "request", exchange = exchange, copy = repeated, gap = gap, repeated_count = true }
      end
    end
    local backward = latest.count and latest.count ~= core.PROBE and count < latest.count
    if backward and link.src and exchange.link.src and link.src ~= exchange.link.src then
      -- A forwarder's copy that overtook: its origin's own transmission was not captured.
      backward = false
    end
    local copy = new_copy(exchange, frame, at, count, link)
    return { role = "request", exchange = exchange, copy = copy, gap = gap, backward = backward }
  end
  for index = #exchange.copies, 1, -1 do
    local copy = exchange.copies[index]
    if copy.count == count and sighting(self, exchange, copy, link, at) then
      return { role = "request", exchange = exchange, copy = copy, again = true }
    end
  end
  local copy = new_copy(exchange, frame, at, count, link)
  return { role = "request", exchange = exchange, copy = copy, gap = gap }
end

-- Which copy a reply answers: the one whose count it echoes. Without an echo it is the original where this server is
-- known to echo, or where nothing else was sent; otherwise it is not known (Karn's ambiguity).
function Tracker:answered(exchange, count, carries_options)
  if not count and carries_options and self.echoes[exchange.server] then count = 0 end
  for _, copy in ipairs(exchange.copies) do
    if count and copy.number == count then return copy end
  end
  if not count and #exchange.copies == 1 then return exchange.copies[1] end
  return nil
end

function Tracker:reply(message, from, to, frame, at, link, rc)
  -- The reply runs from the server to the client.
  local exchange
  if message.type == core.ACK or message.type == core.RST then
    exchange = self.by_mid[key(to, from, message.mid)]
  else
    exchange = self.by_token[key(to, from, message.token)]
  end
  if not exchange or not before(minus(at, exchange.at), core.EXCHANGE_LIFETIME) then
    return { role = "reply", orphan = true }
  end
  local kind = message.code == 0 and (message.type == core.RST and "reset" or "acknowledgement") or "response"
  local slot = kind == "response" and "response" or "acknowledgement"
  local facts = { role = "reply", exchange = exchange, kind = kind, copy = rc and self:answered(exchange, rc.count) }
  if rc then self.echoes[from] = true end
  -- On its way over other hops: the client has it when it is sent to the node that the request came from.
  if link.dst and exchange.link.src and link.dst ~= exchange.link.src then
    facts.passing = true
    return facts
  end
  local earlier = exchange[slot]
  local same = earlier and earlier.mid == message.mid and earlier.type == message.type
  facts.notification = earlier ~= nil and not same and core.has_option(message, core.OBSERVE)
  if earlier and not facts.notification then
    -- Repeated by the link layer, or sent again by the server for a later copy.
    facts.again = true
    facts.reply = earlier
    return facts
  end
  local reply = { frame = frame, at = at, mid = message.mid, type = message.type }
  facts.reply = reply
  if facts.notification then return facts end
  exchange[slot] = reply
  -- What ends the retransmissions: the first sign of the server (RFC 7252 section 4.2).
  if not exchange.ended then self:finish(exchange, reply, facts, message, rc) end
  return facts
end

function Tracker:finish(exchange, reply, facts, message, rc)
  local copies = exchange.copies
  local latest = copies[#copies]
  local retransmissions = latest.number
  exchange.ended = reply
  reply.facts = facts
  facts.ends = true
  facts.since_first = minus(reply.at, copies[1].at)
  facts.copy = self:answered(exchange, rc and rc.count, message.code ~= 0)
  facts.mismatch = rc ~= nil and facts.copy == nil
  facts.no_echo = rc == nil and latest.count ~= nil and message.code ~= 0 and not self.echoes[exchange.server]
  -- The class that CoCoA gives the sample: strong without retransmission, weak with one or two, none with more
  -- (draft-ietf-core-cocoa-03 section 4.2).
  facts.class = retransmissions == 0 and "strong" or retransmissions <= 2 and "weak" or "none"
  if facts.copy then
    facts.rtt = minus(reply.at, facts.copy.at)
    exchange.answered = facts.copy
    exchange.needless = latest.number - facts.copy.number
  end
end

--- One message of the capture. Call once per message, in order of capture.
-- @param frame frame number
-- @param at {secs, nsecs}
-- @param from, to endpoints as strings, `address:port`
-- @param message from `parse`
-- @param link {src, dst = link-layer sender and receiver, seq = 802.15.4 sequence number, lossy = true on 802.15.4}
-- @return facts, kept too under `facts[frame]`. Forward links (`exchange.ended`) fill in as later frames come.
function Tracker:see(frame, at, from, to, message, link)
  local rc = core.read_rc(message, self.option)
  local facts
  local class = floor(message.code / 32)
  if message.code ~= 0 and class == 0 then
    facts = self:request(message, from, to, frame, at, link, rc)
  elseif message.code == 0 and message.type == core.CON then
    -- CoAP ping (RFC 7252 section 4.3): a confirmable message without a request.
    facts = self:request(message, from, to, frame, at, link, rc)
    facts.ping = true
  else
    facts = self:reply(message, from, to, frame, at, link, rc)
    if facts.orphan and message.type == core.CON then
      -- A notification or separate response whose request was not captured: an exchange of its own.
      facts = self:request(message, from, to, frame, at, link, rc)
    elseif message.type == core.CON and facts.reply and not facts.again then
      -- The acknowledgement of a confirmable response is matched to the response.
      facts.own = self:open(message, from, to, frame, at, link, rc and rc.count)
    end
  end
  facts.message, facts.rc, facts.frame = message, rc, frame
  local list = self.facts[frame]
  if list then list[#list + 1] = facts else self.facts[frame] = { facts } end
  return facts
end

--- The link layer acknowledged `frame`: who it was sent to has what it carried.
function Tracker:acknowledge(frame)
  for _, facts in ipairs(self.facts[frame] or {}) do
    if facts.reply then facts.reply.acked = true end
  end
end

-- Quantile of a sorted list, by linear interpolation between order statistics (Hyndman and Fan 1996, type 7).
local function quantile(sorted, p)
  if #sorted == 0 then return nil end
  local place = 1 + (#sorted - 1) * p
  local low = floor(place)
  local high = math.min(low + 1, #sorted)
  return sorted[low] + (place - low) * (sorted[high] - sorted[low])
end
core.quantile = quantile

--- What a tracker has seen, per client and server, in order of first appearance.
-- @return list of {client, server, exchanges, copies, retransmissions, answered, ambiguous, needless, rtt = {p50, p95, p99}
--   in seconds}. `ambiguous`: answered after a retransmission without telling which copy.
function Tracker:summary()
  local rows, places = {}, {}
  for _, exchange in ipairs(self.exchanges) do
    local pair = exchange.client .. "|" .. exchange.server
    local row = places[pair]
    if not row then
      row = {
        client = exchange.client, server = exchange.server, samples = {},
        exchanges = 0, copies = 0, retransmissions = 0, answered = 0, ambiguous = 0, needless = 0,
      }
      places[pair] = row
      rows[#rows + 1] = row
    end
    -- Non-confirmable requests have no timer.
    if exchange.type == core.CON then
      row.exchanges = row.exchanges + 1
      row.copies = row.copies + #exchange.copies
      row.retransmissions = row.retransmissions + #exchange.copies - 1
      if exchange.ended then
        row.answered = row.answered + 1
        if exchange.answered then
          row.needless = row.needless + exchange.needless
          row.samples[#row.samples + 1] = core.seconds(minus(exchange.ended.at, exchange.answered.at))
        else
          row.ambiguous = row.ambiguous + 1
        end
      end
    end
  end
  for _, row in ipairs(rows) do
    table.sort(row.samples)
    row.rtt = { p50 = quantile(row.samples, 0.5), p95 = quantile(row.samples, 0.95), p99 = quantile(row.samples, 0.99) }
  end
  return rows
end

--- The summary as text, one line a pair.
function Tracker:report()
  local lines = { "CoAP RTO: confirmable exchanges; RTT in ms, from the copy that was answered" }
  local shape = "%-44s %-44s %9s %7s %9s %9s %9s %9s %9s %9s"
  lines[2] = format(shape, "client", "server", "exchanges", "retx", "needless", "ambiguous", "open", "RTT p50", "p95", "p99")
  local function ms(value) return value and format("%.1f", value * 1000) or "-" end
  for _, row in ipairs(self:summary()) do
    if row.exchanges > 0 then
      lines[#lines + 1] = format(
        shape, row.client, row.server, row.exchanges, row.retransmissions, row.needless, row.ambiguous,
        row.exchanges - row.answered, ms(row.rtt.p50), ms(row.rtt.p95), ms(row.rtt.p99)
      )
    end
  end
  return table.concat(lines, "\n") .. "\n"
end

return core
