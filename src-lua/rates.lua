-- rates: adds counts of a process to the current minute of a queue, and reads minutes.
-- KEYS[1] rates  HASH  minute of the day, by the server's clock -> 1:<minutes since 1970>:<name>=<count>,...; expires
-- ARGV[1]    clock_offset  ms to add to the server's clock; 0 except in tests
-- ARGV[2]    first_minute  NUMBER first minute to read, in minutes since 1970
-- ARGV[3]    last_minute   NUMBER last minute to read, less than a day after the first; earlier than the first to read
--                          nothing
-- ARGV[4...] 2 for each count to add: name; count
-- Returns the records of the minutes that are not empty, earliest first
-- Cost: O(b + m), b counts of the minute, m minutes

local MINUTE, SLOTS, MOST = 60000, 1440, 500

-- The hash has a field for each minute of the day. A record of another day counts as empty.
local function of_minute(record, minute)
  return record and string.match(record, '^1:' .. text(minute) .. ':(.*)$')
end

if #ARGV >= FIRST then
  local micros, now = read_clock(clock_offset)
  local minute = math.floor(now / MINUTE)
  local slot = text(minute % SLOTS)
  local record = redis.call('HGET', rates, slot)
  local counts, parts = {}, {}
  for name, count in string.gmatch(of_minute(record, minute) or '', '(%w+)=(%d+)') do counts[name] = tonumber(count) end
  for i = FIRST, #ARGV, STEP do
    counts[ARGV[i]] = (counts[ARGV[i]] or 0) + tonumber(ARGV[i + 1])
  end
  for name, count in pairs(counts) do parts[#parts + 1] = name .. '=' .. text(count) end
  redis.call('HSET', rates, slot, '1:' .. text(minute) .. ':' .. table.concat(parts, ','))
  redis.call('PEXPIRE', rates, text(SLOTS * MINUTE))
end

local records = {}
for begin = first_minute, math.min(last_minute, first_minute + SLOTS - 1), MOST do
  local slots = {}
  for minute = begin, math.min(last_minute, begin + MOST - 1) do slots[#slots + 1] = text(minute % SLOTS) end
  local found = redis.call('HMGET', rates, unpack(slots))
  for i, record in ipairs(found) do
    if of_minute(record, begin + i - 1) then records[#records + 1] = record end
  end
end
return records
