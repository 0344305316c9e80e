-- operations_read: reads one operation or all operations.
-- KEYS[1] operations  HASH  handle -> operation record
-- ARGV[1] clock_offset  ms to add to the server's clock; 0 except in tests
-- ARGV[2] handle        handle of the operation; '' for all
-- ARGV[3] silence       a runner counts as dead after this many ms without a beat
-- Returns five values for each operation: handle; process that runs it, '' for none; 1 if this process is alive,
--         otherwise 0; version, which changes with each record; recorded progress
-- Cost: O(n), n operations

local PAGES = 10
local micros, now = read_clock(clock_offset)
local found, records = {}, {}
local function add(name, record)
  local beat, dry_run, stop, holder, content = parse_operation(record)
  if beat and not found[name] then
    found[name] = true
    append(records, name, holder)
    append(records, (holder ~= '' and now - beat < tonumber(silence)) and '1' or '0', text(beat))
    records[#records + 1] = content
  end
end
if handle ~= '' then
  add(handle, redis.call('HGET', operations, handle))
  return records
end
each_field(operations, PAGES, add)
return records
