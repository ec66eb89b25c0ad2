-- Parses CoAP messages and their retransmission-count (RC) option. Independent of Wireshark, so that plain Lua 5.2 to
-- 5.4 can test it.
--
-- Arithmetic stays within whole numbers below 2^53, which Lua 5.2's doubles and 5.4's integers print alike.

local coap = {}

-- Values of Type (RFC 7252 section 3).
coap.CON, coap.NON, coap.ACK, coap.RST = 0, 1, 2, 3

-- Number of the option Observe (RFC 7641 section 2). Notifications repeat the token of the request and carry no count.
coap.OBSERVE = 6

-- Value of the RC option that marks a probe (draft-jarvinen-core-fasor-00); an empty value marks the original.
coap.PROBE = 255

local byte, sub, format, floor = string.byte, string.sub, string.format, math.floor

-- Options of a message without any; shared, never changed.
local NONE = {}

-- Reads an option delta or length, extended or not (RFC 7252 section 3.1). Returns its value, nil where it is cut off,
-- and the position of the next field, from 1.
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

--- Parses one CoAP message (RFC 7252 section 3), strictly.
-- Offsets count octets from 0 at the start of the message, as Wireshark's ranges do.
-- @param octets string: the UDP payload
-- @param wanted numbers of the options to return, as keys; nil for all
-- @return message {type, code, mid, token (octets), options {number, at, length, value_at, value},
--   payload_at}; or nil, the error, and the offset of the octet at fault. A message with a whole header and damaged
--   options is returned with `damage = {text, at}` and the options before the damage.
function coap.parse(octets, wanted)
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
    token = sub(octets, 5, 4 + token_length),
    options = NONE,
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
    if not wanted or wanted[number] then
      if message.options == NONE then message.options = {} end
      message.options[#message.options + 1] = {
        number = number,
        at = start - 1,
        length = after + length - start,
        value_at = after - 1,
        value = sub(octets, after, after + length - 1),
      }
    end
    at = after + length
  end
  return message
end

--- Properties that an option number carries (RFC 7252 section 5.4.6): {critical, unsafe, no_cache_key}.
function coap.properties(number)
  local unsafe = floor(number / 2) % 2 == 1
  return {
    critical = number % 2 == 1,
    unsafe = unsafe,
    -- Has no meaning for options that are unsafe to forward.
    no_cache_key = not unsafe and floor(number / 2) % 16 == 14,
  }
end

--- True where a message has an option, as far as `coap.parse` returned it.
function coap.has_option(message, number)
  for _, option in ipairs(message.options) do
    if option.number == number then return true end
  end
  return false
end

--- Reads the RC option of a message: an unsigned integer of 0 or 1 octet, the empty value being 0 (Lee, Kim and Youn
-- 2016, section IV; draft-jarvinen-core-fasor-00).
-- @return {count, option, repeats = further occurrences, long}, or nil without one. `long`: more than one octet, so the
--   count is that of the whole value where it fits four octets and nil where it does not.
function coap.read_rc(message, number)
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

return coap
