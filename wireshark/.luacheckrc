-- `luacheck wireshark`: Lua 5.2 (Wireshark 4.0, 4.2) and 5.4 (4.4 and newer), and what Wireshark adds to them.
std = "lua52+lua54"
max_line_length = 120
read_globals = {
  "__DIR__", "Dissector", "DissectorTable", "Dumper", "Listener", "MENU_TOOLS_UNSORTED", "NSTime", "Pref", "Proto",
  "ProtoExpert", "ProtoField", "TextWindow", "base", "expert", "frametype", "get_filter", "gui_enabled",
  "register_menu", "register_postdissector", "Field", "report_failure", "retap_packets", "wtap", "wtap_encaps",
  "wtap_name_to_file_type_subtype",
}
files["test/core.lua"] = { max_line_length = 160 }
