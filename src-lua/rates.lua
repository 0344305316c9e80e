-- rates: adds counts of a process to the current minute and hour of a queue, and reads minutes or hours.
-- KEYS[1] rates  HASH  minute of the day, and h<hour of 90 days>, by the server's clock
--                      -> 1:<minutes or hours since 1970>:<name>=<count>,...; expires
-- ARGV[1]    clock_offset  ms to add to the server's clock; 0 except in tests
-- ARGV[2]    field_prefix  'h' to read hours, '' to read minutes
-- ARGV[3]    first_read    NUMBER first hour or minute to read, since 1970
-- ARGV[4]    last_read     NUMBER last hour or minute to read; earlier than the first to read nothing
-- ARGV[5...] 2 for each count to add: name; count. A name that is a number is a bucket of the lateness
-- Returns the records of the hours or minutes that are not empty, earliest first
-- Cost: O(b + m), b counts of the minute and the hour, m hours or minutes

local MINUTES, HOURS, HOUR, MOST = 1440, 2160, 3600000, 500

-- A minute of an earlier day, or an hour of the previous 90 days, counts as empty until the next count replaces it.
local function counts_of(record, at)
  return record and string.match(record, '^1:' .. text(at) .. ':(.*)$')
end

-- Merges the buckets of each doubling of the lateness into the second of the four, which halves the size of an hour.
local function coarse(name)
  local bucket = tonumber(name)
  return bucket and bucket > 0 and text(bucket - (bucket - 1) % 4 + 1) or name
end

local function sum(record, at, is_hour)
  local counts, parts = {}, {}
  for name, count in string.gmatch(counts_of(record, at) or '', '(%w+)=(%d+)') do counts[name] = tonumber(count) end
  for i = FIRST, #ARGV, STEP do
    local name = is_hour and coarse(ARGV[i]) or ARGV[i]
    counts[name] = (counts[name] or 0) + tonumber(ARGV[i + 1])
  end
  for name, count in pairs(counts) do parts[#parts + 1] = name .. '=' .. text(count) end
  return '1:' .. text(at) .. ':' .. table.concat(parts, ',')
end

if #ARGV >= FIRST then
  local micros, now = read_clock(clock_offset)
  local minute, hour = math.floor(now / 60000), math.floor(now / HOUR)
  local slots = {text(minute % MINUTES), 'h' .. text(hour % HOURS)}
  local found = redis.call('HMGET', rates, unpack(slots))
  redis.call('HSET', rates, slots[1], sum(found[1], minute, false), slots[2], sum(found[2], hour, true))
  redis.call('PEXPIRE', rates, text(HOURS * HOUR))
end

local records, slots = {}, field_prefix == 'h' and HOURS or MINUTES
for begin = first_read, math.min(last_read, first_read + slots - 1), MOST do
  local fields = {}
  for at = begin, math.min(last_read, begin + MOST - 1) do fields[#fields + 1] = field_prefix .. text(at % slots) end
  local found = redis.call('HMGET', rates, unpack(fields))
  for i, record in ipairs(found) do
    if counts_of(record, begin + i - 1) then records[#records + 1] = record end
  end
end
return records
