-- Opens the displayed packets in RTOscope: writes them to a file and starts the program on it.

local open = {}

-- True on Windows, by the separator of paths.
local windows = package.config:sub(1, 1) == "\\"

-- Quotes one argument of a command line. POSIX shells end a quotation only at a single quote; file names on
-- Windows hold no double quotes, and a percent sign means a variable only in pairs.
local function quoted(text)
  if windows then return '"' .. text:gsub('"', "") .. '"' end
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

--- Command line that starts `program` on `files` in the background.
function open.command(program, files)
  local words = { quoted(program) }
  for index, file in ipairs(files) do words[index + 1] = quoted(file) end
  local line = table.concat(words, " ")
  return windows and 'start "" ' .. line or line .. " >/dev/null 2>&1 &"
end

-- Name of a new temporary file; `index` tells those of one call apart.
local function temporary(index)
  if windows then return (os.getenv("TEMP") or ".") .. "\\rtoscope-" .. os.time() .. "-" .. index .. ".pcap" end
  local name = os.tmpname()
  os.remove(name)
  return name .. ".pcap"
end

--- Writes the packets that pass `filter` to files, as they are, while Wireshark goes through the capture. Classic pcaps
-- with nanoseconds, because Wireshark 4.0 gives a script's pcapng whole seconds. These have one link type each.
-- @return function() to call afterwards: returns the names of the files, one per link type, the number of packets in
--   them, and the number of packets that pcap cannot hold
function open.collect(filter)
  local files, dumpers, packets, left_out = {}, {}, 0, 0
  local nanoseconds = wtap_name_to_file_type_subtype("nsecpcap")
  local tap = filter ~= "" and Listener.new("frame", filter) or Listener.new("frame")
  local function is_written()
    for _, dumper in ipairs(dumpers) do
      -- Raises at a packet of another link type.
      if pcall(dumper.dump_current, dumper) then return true end
    end
    local index = #dumpers + 1
    local file = temporary(index)
    -- Raises where pcap has no number for the link type.
    local is_made, dumper = pcall(Dumper.new_for_current, file, nanoseconds)
    if not is_made then return false end
    files[index], dumpers[index] = file, dumper
    return pcall(dumper.dump_current, dumper)
  end
  function tap.packet()
    if is_written() then
      packets = packets + 1
    else
      left_out = left_out + 1
    end
  end
  return function()
    if gui_enabled() then tap:remove() end
    for _, dumper in ipairs(dumpers) do dumper:close() end
    return files, packets, left_out
  end
end

-- True where the shell finds the program, on Windows always: it starts in the background, where an error would be
-- lost.
local function is_there(program)
  return windows or os.execute("command -v " .. quoted(program) .. " >/dev/null 2>&1")
end

--- Opens the displayed packets in RTOscope; reports a failure in a dialog. For the menu.
function open.displayed(program)
  if not is_there(program) then
    report_failure("RTOscope: there is no program " .. program .. " (preference coap_rc.program).")
    return
  end
  local finish = open.collect(get_filter())
  retap_packets()
  local files, packets, left_out = finish()
  if packets + left_out == 0 then
    report_failure("RTOscope: no packet is on display.")
    return
  end
  if left_out > 0 then report_failure("RTOscope: no pcap can hold the link type of " .. left_out .. " packets.") end
  if packets == 0 then return end
  -- `os.execute` reports the start of the shell only, which ends before the program does.
  if not os.execute(open.command(program, files)) then
    local names = table.concat(files, ", ")
    report_failure("RTOscope: cannot start " .. program .. " on " .. packets .. " packets in " .. names)
  end
end

return open
