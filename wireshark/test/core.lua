-- Tests of the parts of ../plugin that need no Wireshark, in TAP. rtoscope.test.mjs runs them in tshark's own Lua;
-- `lua test/core.lua` does as well.

local here = __DIR__ and __DIR__:gsub("[^/\\]$", "%0/") or arg[0]:gsub("[^/\\]*$", "")
package.path = here .. "../plugin/?.lua;" .. package.path
local coap = require("rtoscope_message")
local exchanges = require("rtoscope_exchanges")
local report = require("rtoscope_report")

local count = 0
local function ok(truth, what)
  count = count + 1
  print((truth and "ok " or "not ok ") .. count .. " - " .. what)
end
local function equal(got, want, what)
  ok(got == want, what .. (got == want and "" or ": got " .. tostring(got) .. ", want " .. tostring(want)))
end

local function octets(text) return (text:gsub("%s", ""):gsub("%x%x", function(h) return string.char(tonumber(h, 16)) end)) end
local function parse(text) return coap.parse(octets(text)) end

-- The encodings of the option that the RTOscope documentation gives: delta 269 and more has nibble 14 and two octets.
local after_path = parse("40 03 12 34 b1 73 e1 fc e4 01")
equal(#after_path.options, 2, "two options after Uri-Path")
equal(after_path.options[2].number, 65020, "number 65020 after 11")
equal(coap.read_rc(after_path, 65020).count, 1, "count 1")
equal(after_path.options[2].at, 6, "offset of the option")
equal(after_path.options[2].length, 4, "length of the option")
equal(after_path.options[2].value_at, 9, "offset of its value")
equal(coap.read_rc(parse("40 03 12 34 b1 73 10 e1 fc e3 02"), 65020).count, 2, "after an empty Content-Format")
local original = coap.read_rc(parse("40 03 12 34 e0 fc ef"), 65020)
equal(original.count, 0, "the empty value is 0")
equal(original.long, false, "the empty value is not long")
equal(coap.read_rc(parse("40 03 12 34 e1 fc ef ff"), 65020).count, coap.PROBE, "255 is a probe")
equal(coap.read_rc(parse("40 03 12 34 b1 73 e1 fc d2 03"), 65002).count, 3, "another number")
equal(coap.read_rc(after_path, 65002), nil, "no such option")
local long = coap.read_rc(parse("40 03 12 34 e2 fc ef 01 02"), 65020)
equal(long.count, 258, "two octets are read")
equal(long.long, true, "and marked as long")
local five = coap.read_rc(parse("40 03 12 34 e5 fc ef 01 02 03 04 05"), 65020)
equal(five.count, nil, "five octets are no count")
local twice = coap.read_rc(parse("40 03 12 34 e1 fc ef 01 01 02"), 65020)
equal(twice.count, 1, "of a repeated option the first counts")
equal(twice.repeats, 1, "and the others are counted")

-- RFC 7252 appendix A, figure 16: Confirmable request; piggybacked response.
local figure = parse("44 01 7d 34 20 74 65 6d bb 74 65 6d 70 65 72 61 74 75 72 65")
equal(figure.type, coap.CON, "type"); equal(figure.code, 1, "code"); equal(figure.mid, 0x7d34, "Message ID")
equal(figure.token, " tem", "token"); equal(figure.options[1].value, "temperature", "Uri-Path")
equal(figure.damage, nil, "nothing wrong with it")
equal(parse("60 45 7d 34 ff 32 32 2e 33 20 43").payload_at, 5, "payload marker")

-- Extended lengths at their borders (RFC 7252 section 3.1).
for _, length in ipairs({ 12, 13, 268, 269, 300 }) do
  local head = length < 13 and string.char(length)
    or length < 269 and string.char(13, length - 13)
    or string.char(14, math.floor((length - 269) / 256), (length - 269) % 256)
  local message = coap.parse(octets("40010001") .. head .. string.rep("x", length))
  equal(#message.options[1].value, length, "an option of " .. length .. " octets")
end

-- Damage: its kind and its place.
local function damage(text, what, at)
  local message, why, where = parse(text)
  if message then why, where = message.damage and message.damage.text, message.damage and message.damage.at end
  equal(why, what, "damage of " .. text)
  equal(where, at, "offset of the damage of " .. text)
end
damage("40 01 00", "shorter than the four octets of a header", 3)
damage("80 01 00 01", "version 2", 0)
damage("49 01 00 01 00 00 00 00 00 00 00 00 00", "token length 9", 0)
damage("42 01 00 01 aa", "token cut off", 5)
damage("60 00 00 01 b1 73", "octets after the header of an empty message", 4)
damage("40 01 00 01 b2 73", "option 11 cut off", 4)
damage("40 01 00 01 d1", "option header cut off", 4)
damage("40 01 00 01 e1 fc", "option header cut off", 4)
damage("40 01 00 01 f1 73", "option nibble 15 that is no payload marker", 4)
damage("40 01 00 01 1f 73", "option nibble 15 that is no payload marker", 4)
damage("40 01 00 01 e0 fe f2 10 10", "option number 65536", 7)
damage("40 01 00 01 ff", "payload marker without payload", 4)

-- Messages cut at every octet: a cut message has exactly the options that are whole.
local whole = octets("44 03 12 34 01 02 03 04 b1 73 d2 05 61 62 e1 fc d2 02 ff 70 6c")
for length = 0, #whole do
  local fine, message = pcall(coap.parse, whole:sub(1, length))
  ok(fine, "cut to " .. length .. " octets")
  if fine and message then
    for _, option in ipairs(message.options) do
      ok(option.value_at + #option.value <= length, "options within " .. length .. " octets")
    end
  end
end

-- RFC 7252 section 5.4.6, figure 11, with the numbers of its table 4.
local function properties(number, critical, unsafe, no_cache_key)
  local p = coap.properties(number)
  ok(p.critical == critical and p.unsafe == unsafe and p.no_cache_key == no_cache_key, "properties of " .. number)
end
properties(1, true, false, false) -- If-Match
properties(3, true, true, false) -- Uri-Host
properties(4, false, false, false) -- ETag
properties(14, false, true, false) -- Max-Age
properties(60, false, false, true) -- Size1
properties(65020, false, false, true)
properties(65002, false, true, false)

-- Exchanges. Times in milliseconds; A and B are the link-layer addresses of client and server, R of a router.
local function replay(rows)
  local tracker = exchanges.tracker({ option = 65020, gap = 100000000 })
  local facts = {}
  for frame, row in ipairs(rows) do
    local ms, from, to, text, link = row[1], row[2], row[3], row[4], row[5] or {}
    facts[frame] = tracker:see(frame, ms * 1000000, from, to, parse(text), link)
  end
  return facts
end
local function ms(span) return span and span / 1000000 end
local C, S = "c:5683", "s:5683"
local REQUEST, RC1, RC2 = "40 03 12 34 b1 73", "40 03 12 34 b1 73 e1 fc e4 01", "40 03 12 34 b1 73 e1 fc e4 02"
local SEPARATE, ITS_ACK = "40 45 77 77", "60 00 77 77"
local ACK, ACK1 = "60 44 12 34", "60 44 12 34 e1 fc ef 01"

local f = replay({ { 0, C, S, REQUEST }, { 200, S, C, ACK } })
equal(ms(f[2].rtt), 200, "one copy: its round trip"); equal(f[2].class, "strong", "is a strong sample")
equal(f[1].exchange.ended.frame, 2, "the request learns its answer")

f = replay({ { 0, C, S, REQUEST }, { 2000, C, S, REQUEST }, { 2300, S, C, ACK } })
equal(#f[2].exchange.copies, 2, "two copies without counts"); equal(ms(f[2].gap), 2000, "gap")
equal(f[3].rtt, nil, "which one was answered is not known (Karn)"); equal(ms(f[3].since_first), 2300, "since the first copy")
equal(f[3].class, "weak", "is a weak sample")

f = replay({ { 0, C, S, REQUEST }, { 2000, C, S, RC1 }, { 2300, S, C, ACK1 } })
equal(ms(f[3].rtt), 300, "exact by the echoed count"); equal(f[3].copy.frame, 2, "of the second copy")
equal(f[3].exchange.needless, 0, "nothing needless")

f = replay({ { 0, C, S, REQUEST }, { 2000, C, S, RC1 }, { 6000, C, S, RC2 }, { 6500, S, C, ACK1 }, { 6600, S, C, ACK1 } })
equal(ms(f[4].rtt), 4500, "a late answer to the first retransmission"); equal(f[4].exchange.needless, 1, "one needless copy")
equal(f[5].again, true, "the second acknowledgement counts no more"); equal(f[5].rtt, nil, "and gives no sample")

f = replay({ { 0, C, S, REQUEST }, { 2000, C, S, RC1 }, { 2100, S, C, "60 44 12 34 e1 fc ef 07" } })
equal(f[3].mismatch, true, "an echo of no copy"); equal(f[3].rtt, nil, "gives no round trip")
f = replay({ { 0, C, S, REQUEST }, { 2000, C, S, RC1 }, { 2100, S, C, ACK } })
equal(f[3].no_echo, true, "a peer that does not echo")
f = replay({ { 0, C, S, RC2 }, { 100, C, S, RC1, {} } })
equal(f[2].backward, true, "the count goes backwards")
f = replay({ { 0, C, S, REQUEST }, { 2000, C, S, RC1 }, { 6000, C, S, RC1 } })
equal(f[3].repeated_count, true, "a new copy with an old count"); equal(#f[3].exchange.copies, 3, "is a copy all the same")

-- FASOR: the empty value on originals.
f = replay({ { 0, C, S, "40 03 12 34 e0 fc ef" }, { 90, S, C, "60 44 12 34 e0 fc ef" } })
equal(ms(f[2].rtt), 90, "FASOR's original"); equal(f[2].mismatch, false, "its echo fits")
f = replay({ { 0, C, S, REQUEST }, { 90, S, C, "60 44 12 34 e0 fc ef" } })
equal(ms(f[2].rtt), 90, "an echo of 0 is the original that carried none")

-- FASOR's first request to a server: 255 asks whether it echoes, and is an original.
local PROBE, PROBED = "40 03 12 34 b1 73 e1 fc e4 ff", "60 44 12 34 e1 fc ef ff"
f = replay({ { 0, C, S, PROBE }, { 90, S, C, PROBED } })
equal(f[1].copy.number, 0, "a probe is the original"); equal(ms(f[2].rtt), 90, "its echo is its answer")
equal(f[2].mismatch, false, "and fits")
f = replay({ { 0, C, S, PROBE }, { 2000, C, S, RC1 }, { 2100, S, C, PROBED } })
equal(ms(f[3].rtt), 2100, "the probe was answered, not the copy after it"); equal(f[3].exchange.needless, 1, "which was needless")
f = replay({ { 0, C, S, PROBE }, { 2000, C, S, RC1 }, { 2100, S, C, ACK1 } })
equal(ms(f[3].rtt), 100, "the copy after the probe was answered")
f = replay({ { 0, C, S, PROBE }, { 2000, C, S, PROBE }, { 2100, S, C, PROBED } })
equal(f[3].rtt, nil, "which of two probes is not known (Karn)"); equal(f[3].mismatch, false, "though the echo fits")
f = replay({ { 0, C, S, REQUEST }, { 2100, S, C, PROBED } })
equal(f[2].mismatch, true, "a probe that was not sent")

-- A server is known to echo once it does; the copies of its earlier answers are then known too.
f = replay({
  { 0, C, S, "40 03 12 34 b1 73" }, { 2000, C, S, RC1 }, { 2100, S, C, ACK },
  { 9000, C, S, "40 03 12 35 b1 73" }, { 11000, C, S, "40 03 12 35 b1 73 e1 fc e4 01" }, { 11100, S, C, "60 44 12 35 e1 fc ef 01" },
})
equal(ms(f[3].rtt), 2100, "an answer without a count of a server that echoes is to the original")
equal(f[3].exchange.needless, 1, "so the retransmission was needless"); equal(f[3].no_echo, false, "and no echo is missing")

-- 802.15.4: retries, hops, fragments.
local function by(src, dst, seq) return { src = src, dst = dst, seq = seq, lossy = true } end
f = replay({
  { 0, C, S, REQUEST, by("A", "R", 1) }, { 5, C, S, REQUEST, by("A", "R", 1) }, { 9, C, S, REQUEST, by("R", "B", 7) },
  { 60, S, C, ACK, by("B", "R", 3) }, { 70, S, C, ACK, by("R", "A", 8) }, { 75, S, C, ACK, by("R", "A", 8) },
})
equal(#f[3].exchange.copies, 1, "a retry and a hop are no copies"); equal(f[4].passing, true, "the answer on its way")
equal(f[4].rtt, nil, "gives no round trip yet"); equal(ms(f[5].rtt), 70, "it ends where the client gets it")
equal(f[6].again, true, "and only once")
f = replay({
  { 0, C, S, REQUEST, by("A", "R", 1) }, { 30, C, S, REQUEST, by("R", "A", 7) }, { 60, C, S, REQUEST, by("A", "R", 2) },
  { 64, C, S, REQUEST, by("A", "R", 2) }, { 80, C, S, REQUEST, by("R", "A", 7) }, { 2000, C, S, REQUEST, by("A", "R", 3) },
})
equal(#f[4].exchange.copies, 2, "what a routing loop brings back to the client is no copy when it forwards it")
equal(f[4].again, true, "nor is a retry of that"); equal(ms(f[6].gap), 2000, "but the client's next one is")

f = replay({
  { 0, C, S, REQUEST, by("A", "R", 1) }, { 9, C, S, REQUEST, by("R", "B", 7) }, { 60, S, C, SEPARATE, by("B", "R", 3) },
  { 70, S, C, SEPARATE, by("R", "A", 8) }, { 75, S, C, SEPARATE, by("R", "A", 8) }, { 80, C, S, ITS_ACK, by("A", "R", 2) },
  { 90, C, S, ITS_ACK, by("R", "B", 9) },
})
equal(f[3].passing, true, "a separate response on its way"); equal(ms(f[4].rtt), 70, "ends the exchange where the client gets it")
equal(f[5].again, true, "once"); equal(ms(f[7].rtt), 30, "its round trip starts and ends at the server")
equal(#f[7].exchange.copies, 1, "it was sent once")

-- Facts are shared with an earlier frame only where all is equal: another count is another copy; damage is separate.
f = replay({
  { 0, C, S, REQUEST, by("A", "R", 1) }, { 9, C, S, REQUEST, by("R", "T", 7) }, { 18, C, S, REQUEST, by("T", "B", 7) },
  { 25, C, S, REQUEST .. " 1f", by("T", "B", 8) }, { 2000, C, S, RC1, by("A", "R", 2) }, { 2009, C, S, RC1, by("R", "T", 9) },
})
ok(f[2] == f[3] and f[2].again and not f[1].again, "the same at every hop")
ok(f[4] ~= f[3] and f[4].damage and not f[3].damage, "damage is that of the frame that has it")
ok(f[6] ~= f[3] and f[6].copy == f[5].copy, "the next copy has its own")

-- With link-layer acknowledgements an answer counts from the acknowledged frame.
do
  local tracker = exchanges.tracker({ option = 65020 })
  local function see(frame, at, from, to, text, link)
    return tracker:see(frame, at * 1000000, from, to, parse(text), link)
  end
  local A, B = by("A", "B", 1), by("B", "A", 7)
  see(1, 0, C, S, REQUEST, A); tracker:acknowledge(1)
  local missed = see(2, 100, S, C, ACK, B)
  equal(ms(missed.rtt), 100, "taken for the answer")
  local got = see(3, 400, S, C, ACK, B); tracker:acknowledge(3)
  equal(ms(got.rtt), 400, "an acknowledged repetition is when it came"); equal(got.again, false, "and is the answer")
  equal(missed.rtt, nil, "what was taken for it is not"); equal(missed.lost, true, "it was lost")
  see(4, 2000, C, S, RC1, by("A", "B", 2))
  equal(got.rtt ~= nil and got.exchange.needless, 1, "a copy after an acknowledged answer had been waiting, needlessly")
end
f = replay({ { 0, C, S, REQUEST, by("A", "B", 1) }, { 60, C, S, REQUEST, by("A", "B", 2) } })
equal(#f[2].exchange.copies, 2, "a new sequence number of the first sender is a new copy, however soon")
f = replay({ { 0, C, S, REQUEST, by("A", "R", 1) }, { 50, C, S, RC1, by("A", "R", 2) }, { 60, C, S, REQUEST, by("R", "B", 9) } })
equal(f[3].copy.number, 0, "the original overtaken at the next hop is still the original"); equal(f[3].again, true, "seen again")

-- Zero-length tokens, separate responses, Message IDs that come back.
f = replay({ { 0, C, S, "42 01 00 01 aa bb" }, { 50, S, C, "60 00 00 01" }, { 900, S, C, "42 45 77 77 aa bb" }, { 950, C, S, "60 00 77 77" } })
equal(ms(f[2].rtt), 50, "an empty acknowledgement ends the retransmissions")
equal(f[3].exchange, f[1].exchange, "the separate response belongs to the request"); equal(f[3].rtt, nil, "and is no round trip")
equal(ms(f[4].rtt), 50, "its own acknowledgement is"); ok(f[4].exchange ~= f[1].exchange, "in an exchange of its own")
f = replay({
  { 0, C, S, REQUEST }, { 50, S, C, "60 00 12 34" }, { 900, S, C, SEPARATE }, { 3000, S, C, SEPARATE }, { 3100, C, S, ITS_ACK },
})
equal(f[4].copy and f[4].copy.number, 1, "a separate response that is sent again is a copy"); equal(ms(f[4].gap), 2100, "after its gap")
equal(f[5].rtt, nil, "which one was acknowledged is not known (Karn)"); equal(ms(f[5].since_first), 2200, "since the first")
f = replay({ { 0, C, S, REQUEST }, { 50, S, C, ACK }, { 250000, C, S, REQUEST }, { 250040, S, C, ACK } })
equal(ms(f[4].rtt), 40, "after EXCHANGE_LIFETIME a Message ID is another's")
f = replay({ { 0, C, S, "41 01 00 01 aa" }, { 50, S, C, "61 45 00 01 aa" }, { 60, C, S, "41 01 00 01 bb" } })
ok(f[3].exchange ~= f[1].exchange, "another token is another exchange")
f = replay({ { 0, S, C, ACK } })
equal(f[1].orphan, true, "an answer without request")
f = replay({ { 0, C, S, "40 00 00 05" }, { 30, S, C, "70 00 00 05" } })
equal(ms(f[2].rtt), 30, "ping and pong have a round trip")

-- Observe: notifications are not late answers of the request.
f = replay({
  { 0, C, S, "41 01 00 01 aa 60" }, { 50, S, C, "61 45 00 01 aa 61 01" },
  { 900, S, C, "41 45 50 00 aa 61 02" }, { 930, C, S, "60 00 50 00" },
  { 1900, S, C, "41 45 50 01 aa 61 03" }, { 4000, S, C, "41 45 50 01 aa 61 03" }, { 4030, C, S, "60 00 50 01" },
})
equal(ms(f[6].gap), 2100, "a notification that is sent again is a copy"); equal(f[7].rtt, nil, "so its acknowledgement fits two")
equal(f[3].notification, true, "a notification"); equal(f[3].rtt, nil, "is no round trip of the request")
equal(ms(f[4].rtt), 30, "its acknowledgement is one")

-- Known messages are looked up: a second pass, clicks in any order, several messages in one frame.
do
  local tracker = exchanges.tracker({ option = 65020 })
  local rows = { { 1, 0, C, S, REQUEST }, { 2, 2000, C, S, RC1 }, { 3, 2300, S, C, ACK1 }, { 3, 2300, S, "d:5683", ACK1 } }
  local function see(row)
    return tracker:see(row[1], row[2] * 1000000, row[3], row[4], parse(row[5]), {})
  end
  local first = {}
  for i, row in ipairs(rows) do first[i] = see(row) end
  ok(first[3] ~= first[4] and first[4].orphan, "two messages in one frame are two")
  for _, i in ipairs({ 4, 3, 1, 2, 2, 1, 3, 4 }) do ok(see(rows[i]) == first[i], "a click on message " .. i) end
  equal(#tracker.exchanges, 1, "clicks make no exchanges"); equal(#tracker.exchanges[1].copies, 2, "and no copies")
  equal(#tracker.more[3], 1, "and no messages")
end

-- Exchanges that can match no more are removed; facts of frames stay.
do
  local tracker = exchanges.tracker({ option = 65020 })
  local request, answer = parse(REQUEST), parse(ACK)
  for frame = 1, 1000 do
    request.mid, answer.mid = frame, frame
    tracker:see(2 * frame, frame * 10000000000, C, S, request, {})
    tracker:see(2 * frame + 1, frame * 10000000000 + 5, S, C, answer, {})
  end
  local kept = 0
  for _ in pairs(tracker.paths[C][S].mids) do kept = kept + 1 end
  -- 24.7 exchanges in an EXCHANGE_LIFETIME, and as many until the next sweep.
  ok(kept <= 51, "exchanges that can match: " .. kept); equal(#tracker.exchanges, 1000, "exchanges for the report")
  equal(ms(tracker.facts[3].rtt), 5e-6, "the first answer is still known")
end

-- The report: two clients, and a NON request, which has no timer.
do
  local tracker = exchanges.tracker({ option = 65020 })
  local function see(frame, at, from, to, text)
    tracker:see(frame, at * 1000000, from, to, parse(text), {})
  end
  for i = 0, 2 do
    see(10 * i + 1, i * 30000, C, S, "40 03 00 0" .. i)
    see(10 * i + 2, i * 30000 + 100 + 100 * i, S, C, "60 44 00 0" .. i)
  end
  see(40, 100000, "d:1", S, "40 03 12 34 b1 73"); see(41, 102000, "d:1", S, RC1); see(42, 102500, S, "d:1", ACK)
  see(50, 110000, "e:1", S, "50 03 12 35")
  local rows = report.summary(tracker)
  equal(rows[1].exchanges, 3, "exchanges of the first client")
  equal(rows[1].rtt.p50, 0.2, "median of 0.1, 0.2 and 0.3 s")
  ok(math.abs(rows[1].rtt.p95 - 0.29) < 1e-9, "95th percentile, between the last two")
  equal(rows[2].retransmissions, 1, "retransmissions of the second"); equal(rows[2].ambiguous, 1, "its answer fits both copies")
  equal(rows[2].rtt.p50, nil, "and gives no sample"); equal(rows[3].exchanges, 0, "a NON has no timer")
  local text = report.text(tracker)
  equal(select(2, text:gsub("\n", "\n")), 4, "a line a client that has exchanges, and two of heading")
  ok(text:find("d:1 +s:5683 +1 +1 +0 +1 +0 +%- +%- +%-\n"), "the second client's line")
end

print("1.." .. count)
