-- Calls Wireshark's dissectors from Lua and handles their exceptions.
--
-- A malformed packet raises after Wireshark has shown it as such; `pcall` ends that. Where the capture cut one off,
-- Wireshark 4.0 does not catch the exception at the border of Lua: it jumps over Lua as if Lua had never been called,
-- and each time two or more of the 200 nested calls that Lua allows (LUAI_MAXCCALLS) are gone for good. So, after
-- forty, dissectors get what was captured as if it were all: they then call the packet malformed, and still dissect it.

local call = {}

-- Lost calls after which a cut packet is given as a whole one. Each may cost two or more of the 200 (see above).
-- Chosen here: at four levels a call, 40 of the 200 are left for dissection.
local LIMIT = 40

-- Frame in dissection, number of its calls that have not returned yet, and number of calls that never will.
local frame, inside, lost = nil, 0, 0

--- True where the capture has only part of the packet.
function call.is_cut(tvb) return tvb:captured_len() < tvb:reported_len() end

-- Looked up once: the lookup takes longer than the call.
local dissect = Dissector.get("data").call

--- Calls the dissector `inner`. An exception that it raises ends here.
-- @param number frame number
-- @return octets that `inner` used; all of `tvb` after an exception
function call.dissector(inner, tvb, pinfo, tree, number)
  if number ~= frame then
    frame, inside, lost = number, 0, lost + inside
  end
  local given = tvb
  if lost >= LIMIT and tvb:captured_len() > 0 and call.is_cut(tvb) then given = tvb(0, tvb:captured_len()):tvb() end
  inside = inside + 1
  local whole, used = pcall(dissect, inner, given, pinfo, tree)
  inside = inside - 1
  return whole and used or tvb:len()
end

return call
