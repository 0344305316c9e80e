-- discard: deletes dead tasks. A live one is left alone.
-- KEYS[1] tasks     HASH  id -> envelope
-- KEYS[2] attempts  HASH  id -> attempts record
-- KEYS[3] dead      ZSET  id -> time of death
-- ARGV[1...]        one for each task, at most 500 that differ: id
-- Returns for each task 1 (deleted) or 0 (not dead; nothing was changed)
-- Cost: O(n log N)
local tasks, attempts, dead = KEYS[1], KEYS[2], KEYS[3]

local FIRST, STEP = 1, 1
local count = (#ARGV - FIRST + 1) / STEP
redis.call('HLEN', tasks)
redis.call('HLEN', attempts)

local verdicts, gone = {}, {}
for i = 1, count do
  local id = ARGV[FIRST + (i - 1) * STEP]
  verdicts[i] = redis.call('ZSCORE', dead, id) and 1 or 0
  if verdicts[i] == 1 then gone[#gone + 1] = id end
end

if #gone > 0 then
  redis.call('ZREM', dead, unpack(gone))
  redis.call('HDEL', tasks, unpack(gone))
  redis.call('HDEL', attempts, unpack(gone))
end
return verdicts
