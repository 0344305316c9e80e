-- rates_add: adds what a process has counted to the minute that it is now.
-- KEYS[1] rates  HASH  minute of the day, by the server's clock -> 1:<minutes since 1970>:<scheduled>:<delivered>:
--                      <failed>:<dead>:<bucket>=<count>, ... of lateness; last -> the minute written last. Expires
-- ARGV[1] clock_offset  ms, 0 but in tests
-- ARGV[2] kept          for how long minutes are kept, ms, a day at most
-- ARGV[3] scheduled     tasks that were stored
-- ARGV[4] delivered     deliveries that ended well
-- ARGV[5] failed        deliveries that failed and are due again
-- ARGV[6] died          deliveries after which the task was given up
-- ARGV[7...]            two for each bucket of lateness: its number, how many deliveries began as late as that
-- Returns the minute
-- Cost: O(b + m), b buckets of the minute, m minutes that fell out since the last call
local rates = KEYS[1]
local clock_offset, kept, scheduled, delivered, failed, died = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

local FIRST, STEP = 7, 2
local MINUTE, SLOTS, MOST = 60000, 1440, 500
local micros, now = read_clock(clock_offset)
local minute = math.floor(now / MINUTE)
local slot = text(minute % SLOTS)
local records = redis.call('HMGET', rates, slot, 'last')

local counts, lateness = { 0, 0, 0, 0 }, {}
local at, s, d, f, x, buckets = string.match(records[1] or '', '^1:(%d+):(%d+):(%d+):(%d+):(%d+):(.*)$')
if at and tonumber(at) == minute then
  counts = { s, d, f, x }
  for bucket, count in string.gmatch(buckets, '(%d+)=(%d+)') do lateness[bucket] = tonumber(count) end
end
for i = FIRST, #ARGV, STEP do
  lateness[ARGV[i]] = (lateness[ARGV[i]] or 0) + tonumber(ARGV[i + 1])
end
local parts = {}
for bucket, count in pairs(lateness) do parts[#parts + 1] = bucket .. '=' .. text(count) end

-- Those that fell out since the last call; all of them would have expired with the key, had it been longer ago.
local minutes_kept = math.min(math.ceil(tonumber(kept) / MINUTE), SLOTS - 1)
local last = tonumber(records[2] or minute) or minute
local out = {}
for old = math.max(last, minute - SLOTS) - minutes_kept + 1, math.min(last, minute - minutes_kept) do
  out[#out + 1] = text(old % SLOTS)
end
for begin = 1, #out, MOST do
  redis.call('HDEL', rates, unpack(out, begin, math.min(#out, begin + MOST - 1)))
end
redis.call('HSET', rates, 'last', text(minute), slot, '1:' .. text(minute) .. ':' .. text(counts[1] + scheduled) .. ':'
  .. text(counts[2] + delivered) .. ':' .. text(counts[3] + failed) .. ':' .. text(counts[4] + died) .. ':'
  .. table.concat(parts, ','))
redis.call('PEXPIRE', rates, text((minutes_kept + 1) * MINUTE))
return text(minute)
