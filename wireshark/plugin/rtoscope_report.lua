-- What a capture says of its confirmable exchanges, as numbers and as text. No Wireshark in here.

local coap = require("rtoscope_message")
local exchanges = require("rtoscope_exchanges")

local report = {}

local floor, format = math.floor, string.format

-- Quantile of a sorted list, by linear interpolation between order statistics (Hyndman and Fan 1996, type 7).
local function quantile(sorted, p)
  if #sorted == 0 then return nil end
  local place = 1 + (#sorted - 1) * p
  local low = floor(place)
  local high = math.min(low + 1, #sorted)
  return sorted[low] + (place - low) * (sorted[high] - sorted[low])
end

--- What a tracker has seen, per client and server, in order of first appearance.
-- @return list of {client, server, exchanges, copies, retransmissions, answered, ambiguous, needless,
--   rtt = {p50, p95, p99} in seconds}. `ambiguous`: answered after a retransmission without telling which copy.
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
          row.samples[#row.samples + 1] = exchanges.seconds(exchanges.minus(exchange.ended.at, exchange.answered.at))
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
function report.text(tracker)
  local lines = { "CoAP RTO: confirmable exchanges; RTT in ms, from the copy that was answered" }
  local shape = "%-44s %-44s %9s %7s %9s %9s %9s %9s %9s %9s"
  lines[2] =
    format(shape, "client", "server", "exchanges", "retx", "needless", "ambiguous", "open", "RTT p50", "p95", "p99")
  local function ms(value) return value and format("%.1f", value * 1000) or "-" end
  for _, row in ipairs(report.summary(tracker)) do
    if row.exchanges > 0 then
      lines[#lines + 1] = format(
        shape, row.client, row.server, row.exchanges, row.retransmissions, row.needless, row.ambiguous,
        row.exchanges - row.answered, ms(row.rtt.p50), ms(row.rtt.p95), ms(row.rtt.p99)
      )
    end
  end
  return table.concat(lines, "\n") .. "\n"
end

return report
