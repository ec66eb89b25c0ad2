-- For report.test.mjs: runs Tools > CoAP RTO > Open in RTOscope in tshark. Arguments: display filter, program.
package.path = __DIR__:gsub("[^/\\]$", "%0/") .. "../plugin/?.lua;" .. package.path
local open = require("rtoscope_open")

local filter, program = ...
local finish = open.collect(filter)
local last = Listener.new("frame")
function last.draw()
  local files, packets = finish()
  for _, file in ipairs(files) do print("file " .. file) end
  print("packets " .. packets .. "\ncommand " .. open.command(program, files))
end
