-- Follows confirmable exchanges through a capture and gives each CoAP message its role. Independent of Wireshark.
--
--   local tracker = exchanges.tracker({ option = 65020 })
--   local facts = tracker:see(frame, at, from, to, message, link)
--
-- Times are whole nanoseconds from any origin, exact below 2^53 (104 days).

local coap = require("rtoscope_message")

local exchanges = {}

-- EXCHANGE_LIFETIME in nanoseconds (RFC 7252 section 4.8.2): after it a Message ID may name another message.
exchanges.LIFETIME = 247 * 1000000000

local max = math.max
local LIFETIME = exchanges.LIFETIME

local Tracker = {}
Tracker.__index = Tracker

--- Returns a tracker that follows messages in order of capture.
-- @param settings {option = RC option number, gap = nanoseconds under which two equal CONs without RC count as
--   link-layer repetitions where there are no sequence numbers (see `is_repetition`)}
function exchanges.tracker(settings)
  return setmetatable({
    option = settings.option,
    gap = settings.gap or 100000000,
    paths = {}, -- client -> server -> {mids, tokens}: MID or token -> exchange, of the last EXCHANGE_LIFETIME
    swept = nil, -- time of the last removal of older ones
    echoes = {}, -- server -> true, once it has echoed a count
    unsettled = {}, -- server -> facts of answers without a count, until the server is known to echo
    exchanges = {},
    facts = {}, -- frame -> facts of its message; several frames may have the same
    more = {}, -- frame -> list of facts of further messages in it
  }, Tracker)
end

-- Exchanges from `client` to `server` as {mids, tokens}, or nil.
function Tracker:path(client, server)
  local servers = self.paths[client]
  return servers and servers[server]
end

-- Adds and returns an empty path from `client` to `server`.
function Tracker:new_path(client, server)
  local servers = self.paths[client]
  if not servers then
    servers = {}
    self.paths[client] = servers
  end
  local path = { mids = {}, tokens = {} }
  servers[server] = path
  return path
end

-- Copies `link`: the caller reuses one table for all messages.
local function copy_of(link) return { src = link.src, dst = link.dst, seq = link.seq, lossy = link.lossy } end

-- True where another node than the one of the first copy sent this frame, as far as both are known.
local function other_sender(exchange, link)
  return link.src ~= nil and exchange.link.src ~= nil and link.src ~= exchange.link.src
end

-- True where a CON seen again is the same transmission: a link-layer retry (same sender and sequence number), or
-- another node forwarding it (other sender). Only the node seen first starts copies, so the same sender with a new
-- sequence number is a new copy. Without sequence numbers (IEEE 802.15.4-2015 may leave them out) the time decides;
-- where the link layer repeats nothing (Ethernet), every one is a copy.
local function is_repetition(self, exchange, copy, link, at)
  if other_sender(exchange, link) then
    -- In a routing loop it comes back to the client, which then forwards it under a new sequence number.
    if link.dst == exchange.link.src and link.seq ~= copy.looped then copy.looped, copy.returned = link.seq, true end
    return true
  end
  if not link.seq or not copy.link.seq then return link.lossy and at - copy.at < self.gap end
  if link.seq == copy.link.seq then return true end
  if not copy.returned then return false end
  copy.returned, copy.link = false, copy_of(link)
  return true
end

-- Marks the answer that ended the exchange as lost. One pass has already printed its facts; a second pass or a click
-- shows the corrected ones.
local function lose(exchange)
  local facts = exchange.ended.facts
  facts.lost, facts.ends, facts.rtt = true, false, nil
  exchange.ended, exchange.answered, exchange.acknowledgement, exchange.response = nil, nil, nil, nil
end

local function last_copy(exchange) return exchange.copies[#exchange.copies] end

-- Adds a copy. It is numbered by its count where it has one, since some copies are never on the air or not captured.
local function new_copy(exchange, frame, at, count, link)
  -- A client with an answer sends no more copies. So a new copy shows that the answer was lost, unless the link layer
  -- acknowledged it; then the copy had been waiting in the client's queue.
  if exchange.ended and not exchange.ended.acked then lose(exchange) end
  local latest = last_copy(exchange)
  local number = latest and latest.number + 1 or 0
  if count and count ~= coap.PROBE then number = count end
  local copy = { frame = frame, at = at, count = count, link = link, number = number }
  exchange.copies[#exchange.copies + 1] = copy
  -- The copy had been waiting when the answer came, so it was needless.
  if exchange.answered then exchange.needless = max(exchange.needless, number - exchange.answered.number) end
  return copy
end

-- Begins an exchange with its first captured copy; `count` is that of its RC option or nil. Returns the exchange.
function Tracker:open(message, from, to, frame, at, link, count)
  link = copy_of(link)
  local path = self:path(from, to) or self:new_path(from, to)
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
  path.mids[message.mid] = exchange
  path.tokens[message.token] = exchange
  return exchange
end

-- @return the copy that this transmission repeats, or nil; and whether the previous copy had the same count
local function seen_before(self, exchange, count, link, at)
  local counted = count and count ~= coap.PROBE
  local latest = last_copy(exchange)
  for index = #exchange.copies, 1, -1 do
    local copy = exchange.copies[index]
    if copy.count == count then
      -- A count of an earlier copy identifies that copy, whichever node sends it.
      if is_repetition(self, exchange, copy, link, at) or counted and copy ~= latest then return copy end
      if counted then return nil, true end
    end
  end
  return nil, false
end

-- True where facts equal those of an earlier frame and need not be stored again, as in most frames of several hops.
local function same_facts(facts, message, from, to, rc)
  if not facts or facts.from ~= from or facts.to ~= to or message.damage or facts.damage then return false end
  if facts.mid ~= message.mid or facts.type ~= message.type or facts.code ~= message.code then return false end
  local old = facts.rc
  if not rc or not old then return rc == old end
  local option, before = rc.option, old.option
  return rc.count == old.count
    and rc.repeats == old.repeats
    and option.at == before.at
    and option.length == before.length
end

-- Facts of a request or other confirmable message: {role = "request", exchange, copy}, with `first_in_capture`
-- for a new exchange, `again` for a repetition, and `gap` (nanoseconds since the copy before) for a new copy.
function Tracker:request(message, from, to, frame, at, link, rc)
  local count = rc and rc.count
  local path = self:path(from, to)
  local exchange = path and path.mids[message.mid]
  if exchange and (exchange.token ~= message.token or at - exchange.at >= LIFETIME) then exchange = nil end
  if not exchange then
    exchange = self:open(message, from, to, frame, at, link, count)
    return { role = "request", exchange = exchange, copy = exchange.copies[1], first_in_capture = true }
  end
  local copy, repeated = seen_before(self, exchange, count, link, at)
  if copy then
    if not same_facts(copy.again, message, from, to, rc) then
      copy.again = { role = "request", exchange = exchange, copy = copy, again = true }
    end
    return copy.again
  end

  local latest = last_copy(exchange)
  local backward = count and latest.count and latest.count ~= coap.PROBE and count < latest.count
  return {
    role = "request",
    exchange = exchange,
    copy = new_copy(exchange, frame, at, count, copy_of(link)),
    gap = at - latest.at,
    repeated_count = repeated,
    -- A forwarder's copy may overtake another; the origin's own transmission was then not captured.
    backward = backward and not other_sender(exchange, link),
  }
end

-- Returns the copy that carries FASOR's probe, and whether any does. The first request to a server carries it, and its
-- retransmissions may; with several such copies the answered one is not known.
local function probed(exchange)
  local found
  for _, copy in ipairs(exchange.copies) do
    if copy.count == coap.PROBE then
      if found then return nil, true end
      found = copy
    end
  end
  return found, found ~= nil
end

-- Finds the copy that a reply answers: the one whose count it echoes, or without a count the only one sent. Otherwise
-- it is not known (Karn's ambiguity).
-- @return the copy or nil, and whether a copy has this count
local function answered(exchange, count)
  if count == coap.PROBE then return probed(exchange) end
  for _, copy in ipairs(exchange.copies) do
    if copy.number == count then return copy, true end
  end
  if not count and #exchange.copies == 1 then return exchange.copies[1], true end
  return nil, false
end

-- Records that a reply answers `copy`: round-trip time in nanoseconds, and the number of copies sent after it.
local function sample(exchange, facts, copy)
  facts.copy = copy
  facts.rtt = facts.reply.at - copy.at
  exchange.answered = copy
  exchange.needless = last_copy(exchange).number - copy.number
end

-- Ends the exchange with the first reply of the server (RFC 7252 section 4.2), and takes its sample where the copy is
-- known.
function Tracker:finish(exchange, facts, code, rc)
  local latest = last_copy(exchange)
  exchange.ended = facts.reply
  exchange[facts.slot] = facts.reply
  facts.reply.facts = facts
  facts.ends = true
  facts.since_first = facts.reply.at - exchange.copies[1].at
  -- The class that CoCoA gives the sample: strong without retransmission, weak with one or two, none with more
  -- (draft-ietf-core-cocoa-03 section 4.2).
  facts.class = latest.number == 0 and "strong" or latest.number <= 2 and "weak" or "none"
  -- An answer without a count from a server that echoes is to the original. Empty messages cannot carry options.
  local silent = rc == nil and code ~= 0
  local echoes = self.echoes[exchange.server]
  local copy, fits = answered(exchange, rc and rc.count or silent and echoes and 0 or nil)
  if copy then sample(exchange, facts, copy) end
  facts.mismatch = rc ~= nil and not fits
  if silent and not echoes then
    facts.no_echo = latest.count ~= nil
    local list = self.unsettled[exchange.server] or {}
    self.unsettled[exchange.server] = list
    list[#list + 1] = facts
  end
end

-- Handles the first count that a server echoes: its earlier answers without a count were to originals. One pass has
-- already printed those; a second pass or a click shows the corrected facts.
function Tracker:settle(server)
  self.echoes[server] = true
  for _, facts in ipairs(self.unsettled[server] or {}) do
    facts.no_echo = false
    local copy = answered(facts.exchange, 0)
    if copy and not facts.copy and facts.exchange.ended == facts.reply then sample(facts.exchange, facts, copy) end
  end
  self.unsettled[server] = nil
end

-- Facts of a reply: {role = "reply", exchange, copy}, with `orphan` where its request is not known, `passing` on a hop
-- before the client's, `again` for a repetition, and `notification` for a later answer to an observation (RFC 7641).
function Tracker:reply(message, from, to, frame, at, link, rc)
  -- The reply runs from the server to the client.
  local path, exchange = self:path(to, from), nil
  if path then
    local matched = message.type == coap.ACK or message.type == coap.RST
    exchange = matched and path.mids[message.mid] or not matched and path.tokens[message.token]
  end
  if not exchange or at - exchange.at >= LIFETIME then return { role = "reply", orphan = true } end
  if rc and not self.echoes[from] then self:settle(from) end
  local copy = rc and answered(exchange, rc.count) or nil
  -- The reply is still on other hops: it reaches the client when it is sent to the node that the request came from.
  if link.dst and exchange.link.src and link.dst ~= exchange.link.src then
    local before = exchange.passing
    if not same_facts(before, message, from, to, rc) or before.copy ~= copy then
      before = { role = "reply", exchange = exchange, copy = copy, passing = true }
      exchange.passing = before
    end
    return before
  end
  local facts = {
    role = "reply",
    exchange = exchange,
    copy = copy,
    slot = message.code == 0 and "acknowledgement" or "response",
  }
  facts.reply = { frame = frame, at = at, mid = message.mid, type = message.type }
  local earlier = exchange[facts.slot]
  local same = earlier and earlier.mid == message.mid and earlier.type == message.type
  facts.notification = earlier ~= nil and not same and coap.has_option(message, coap.OBSERVE)
  if facts.notification then return facts end
  if earlier then
    -- Repeated by the link layer, or sent again by the server for a later copy.
    facts.again = true
    return facts
  end
  exchange[facts.slot] = facts.reply
  if not exchange.ended then self:finish(exchange, facts, message.code, rc) end
  return facts
end

-- Removes exchanges that can match no more, once every EXCHANGE_LIFETIME: a capture may be days long. Facts of frames
-- stay, because any frame may be shown again.
function Tracker:sweep(at)
  if self.swept and at - self.swept < LIFETIME then return end
  self.swept = at
  for _, servers in pairs(self.paths) do
    for server, path in pairs(servers) do
      for _, names in pairs(path) do
        for name, exchange in pairs(names) do
          if at - exchange.at >= LIFETIME then names[name] = nil end
        end
      end
      if not next(path.mids) and not next(path.tokens) then servers[server] = nil end
    end
  end
end

-- True where facts are those of this message.
local function is_of(facts, message, from, to)
  local same = facts.mid == message.mid and facts.type == message.type and facts.code == message.code
  return same and facts.from == from and facts.to == to
end

-- Facts of a message that was seen before in this frame, or nil.
function Tracker:known(frame, message, from, to)
  local facts = self.facts[frame]
  if not facts or is_of(facts, message, from, to) then return facts end
  for _, other in ipairs(self.more[frame] or {}) do
    if is_of(other, message, from, to) then return other end
  end
  return nil
end

--- Takes one message of the capture. First calls must come in order of capture; for a message seen before (a second
-- pass, a click) the same facts are returned.
-- @param frame frame number
-- @param at nanoseconds
-- @param from, to endpoints as strings, `address:port`
-- @param message from `rtoscope_message.parse`
-- @param link {src, dst = link-layer sender and receiver, seq = 802.15.4 sequence number, lossy = true on 802.15.4};
--   copied where it is stored
-- @return facts. Forward links (`exchange.ended`) fill in as later frames come.
function Tracker:see(frame, at, from, to, message, link)
  local facts = self:known(frame, message, from, to)
  if facts then return facts end

  self:sweep(at)
  local rc = coap.read_rc(message, self.option)
  if message.code ~= 0 and message.code < 32 or message.code == 0 and message.type == coap.CON then
    -- A request, or a ping (RFC 7252 section 4.3): a confirmable message without one.
    facts = self:request(message, from, to, frame, at, link, rc)
  else
    facts = self:reply(message, from, to, frame, at, link, rc)
    if message.type == coap.CON then
      -- A separate response or a confirmable notification is also an exchange of its own. Its own facts are returned
      -- where its request was not captured, and for further copies.
      local own = self:request(message, from, to, frame, at, link, rc)
      if facts.orphan or own.gap then facts = own end
    end
  end
  -- These fields distinguish several messages of one frame; shared facts have them already.
  if not facts.from then
    facts.from, facts.to, facts.type, facts.code, facts.mid = from, to, message.type, message.code, message.mid
    facts.rc, facts.damage = rc, message.damage
  end
  if not self.facts[frame] then
    self.facts[frame] = facts
  else
    local list = self.more[frame] or {}
    self.more[frame] = list
    list[#list + 1] = facts
  end
  return facts
end

-- Marks a reply as received by its node. A repetition then ends the exchange in place of an answer that was not.
function Tracker:delivered(facts)
  if not facts.reply then return end
  facts.reply.acked = true
  local exchange = facts.exchange
  local ended = exchange.ended
  if facts.again and ended and not ended.acked and ended == exchange[facts.slot] then
    lose(exchange)
    facts.again = false
    self:finish(exchange, facts, facts.code, facts.rc)
  end
end

--- Takes a link-layer acknowledgement of `frame`: its receiver has the message. An answer counts from this frame;
-- earlier transmissions of it without an acknowledgement did not get through.
function Tracker:acknowledge(frame)
  local facts = self.facts[frame]
  if facts then self:delivered(facts) end
  for _, other in ipairs(self.more[frame] or {}) do self:delivered(other) end
end

return exchanges
