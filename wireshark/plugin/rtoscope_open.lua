-- From Wireshark to RTOscope: the packets on display as a file, and the program started on it.

local open = {}

local windows = package.config:sub(1, 1) == "\\"

-- One argument of a command line, whatever is in it. POSIX shells end a quotation only at a single quote; file names on
-- Windows hold no double quotes, and a percent sign means a variable only in pairs.
local function quoted(text)
  if windows then return '"' .. text:gsub('"', "") .. '"' end
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

--- The command that starts `program` on `file` and does not wait for it.
function open.command(program, file)
  if windows then return 'start "" ' .. quoted(program) .. " " .. quoted(file) end
  return quoted(program) .. " " .. quoted(file) .. " >/dev/null 2>&1 &"
end

local function temporary()
  if windows then return (os.getenv("TEMP") or ".") .. "\\rtoscope-" .. os.time() .. ".pcap" end
  local name = os.tmpname()
  os.remove(name)
  return name .. ".pcap"
end

--- Writes the packets that pass `filter` to a file, as they are, while Wireshark goes through the capture. A classic
-- pcap with nanoseconds: Wireshark 4.0 gives a script's pcapng whole seconds. It has one link type, that of the first.
-- @return function() to call afterwards: gives the file's name and the number of packets, or nil without packets
function open.collect(filter)
  local file, packets, dumper = temporary(), 0, nil
  local nanoseconds = wtap_name_to_file_type_subtype("nsecpcap")
  local tap = filter ~= "" and Listener.new("frame", filter) or Listener.new("frame")
  function tap.packet()
    dumper = dumper or Dumper.new_for_current(file, nanoseconds)
    -- Raises at a packet of another link type.
    if pcall(dumper.dump_current, dumper) then packets = packets + 1 end
  end
  return function()
    if gui_enabled() then tap:remove() end
    if not dumper then return nil, 0 end
    dumper:close()
    return file, packets
  end
end

-- The program is started in the background, where nobody hears the shell complain.
local function is_there(program)
  return windows or os.execute("command -v " .. quoted(program) .. " >/dev/null 2>&1")
end

--- Menu entry: the packets on display, in RTOscope.
function open.displayed(program)
  if not is_there(program) then
    report_failure("RTOscope: there is no program " .. program .. " (preference coap_rc.program).")
    return
  end
  local finish = open.collect(get_filter())
  retap_packets()
  local file, packets = finish()
  if not file then
    report_failure("RTOscope: no packet is on display.")
    return
  end
  -- `os.execute` says whether the shell started, and the shell is done before the program is.
  if not os.execute(open.command(program, file)) then
    report_failure("RTOscope: cannot start " .. program .. " on " .. packets .. " packets in " .. file)
  end
end

return open
