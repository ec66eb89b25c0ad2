-- Summary of the confirmable exchanges of a capture, as numbers and as text. Independent of Wireshark.

local coap = require("rtoscope_message")

local report = {}

local floor, format = math.floor, string.format

-- Quantile `p` (0 to 1) of a sorted list, nil for an empty one, by linear interpolation between order statistics
-- (Hyndman and Fan 1996, type 7).
local function quantile(sorted, p)
  if #sorted == 0 then return nil end
  local place = 1 + (#sorted - 1) * p
  local low = floor(place)
  local high = math.min(low + 1, #sorted)
  return sorted[low] + (place - low) * (sorted[high] - sorted[low])
end

--- Summary of a tracker's confirmable exchanges per client and server, in order of first appearance.
-- @return list of {client, server, exchanges, copies, retransmissions, answered, ambiguous, needless,
--   rtt = {p50, p95, p99} in seconds}. `ambiguous`: answered after a retransmission, the copy not known.
function report.summary(tracker)
  local rows, places = {}, {}
  for _, exchange in ipairs(tracker.exchanges) do
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
    if exchange.type == coap.CON then
      row.exchanges = row.exchanges + 1
      row.copies = row.copies + #exchange.copies
      row.retransmissions = row.retransmissions + #exchange.copies - 1
      if exchange.ended then
        row.answered = row.answered + 1
        if exchange.answered then
          row.needless = row.needless + exchange.needless
          row.samples[#row.samples + 1] = (exchange.ended.at - exchange.answered.at) / 1e9
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

-- Headings of the table; round-trip times are in ms.
local HEADINGS = { "client", "server", "exchanges", "retx", "needless", "ambiguous", "open", "RTT p50", "p95", "p99" }

-- Lines of columns as narrow as possible, since Wireshark's text window breaks long lines. Addresses left, numbers
-- right.
local function aligned(rows)
  local widths = {}
  for _, row in ipairs(rows) do
    for column, cell in ipairs(row) do widths[column] = math.max(widths[column] or 0, #cell) end
  end
  local lines = {}
  for index, row in ipairs(rows) do
    local cells = {}
    for column, cell in ipairs(row) do
      local pad = (" "):rep(widths[column] - #cell)
      cells[column] = column <= 2 and cell .. pad or pad .. cell
    end
    lines[index] = table.concat(cells, "  ")
  end
  return lines
end

--- The summary as text, one line per client and server.
function report.text(tracker)
  local function ms(value) return value and format("%.1f", value * 1000) or "-" end
  local rows = { HEADINGS }
  for _, row in ipairs(report.summary(tracker)) do
    if row.exchanges > 0 then
      local counts = { row.exchanges, row.retransmissions, row.needless, row.ambiguous, row.exchanges - row.answered }
      local cells = { row.client, row.server }
      for _, count in ipairs(counts) do cells[#cells + 1] = format("%d", count) end
      for _, span in ipairs({ "p50", "p95", "p99" }) do cells[#cells + 1] = ms(row.rtt[span]) end
      rows[#rows + 1] = cells
    end
  end
  local lines = aligned(rows)
  table.insert(lines, 1, "CoAP RTO: confirmable exchanges; RTT in ms, from the copy that was answered")
  return table.concat(lines, "\n") .. "\n"
end

return report
