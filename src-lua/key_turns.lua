-- key_turns: makes the next tasks of keys available after leases of earlier ones have ended.
-- KEYS[1] leases   HASH  id -> lease record
-- KEYS[2] turns    ZSET  key with waiting tasks -> its turn: when its next task may be acquired, epoch ms; plus half a
--                        millisecond if the end of a delivery makes that earlier
-- KEYS[3] running  HASH  key -> ids of its deliveries in progress, separated by \0
-- ARGV[1] clock_offset  ms, 0 except in tests
-- ARGV[2] wake_channel  name, '' for none
-- ARGV[3] shard         number, the wake message
-- ARGV[4...]            one for each task, at most 500, with different ids: id
-- Returns the number of keys whose next task may be acquired now
-- Cost: O(n log N), and the deliveries in progress of the keys
local leases, turns, running = KEYS[1], KEYS[2], KEYS[3]
local clock_offset, wake_channel, shard = ARGV[1], ARGV[2], ARGV[3]

local FIRST, STEP = 4, 1
local count = (#ARGV - FIRST + 1) / STEP
redis.call('ZCARD', turns)
local micros, now = read_clock(clock_offset)
local ended, keys = {}, {}
for i = 1, count do
  local id = ARGV[FIRST + (i - 1) * STEP]
  local key = key_of(id)
  -- A task that another call has acquired since then is still in progress.
  if key and not redis.call('HGET', leases, id) then
    if not ended[key] then ended[key], keys[#keys + 1] = {}, key end
    ended[key][id] = true
  end
end

local free = 0
for i = 1, #keys do
  local key, left = keys[i], {}
  local list = redis.call('HGET', running, key) or ''
  for id in string.gmatch(list, '[^%z]+') do
    if not ended[key][id] then left[#left + 1] = id end
  end
  redis.call('HDEL', running, key)
  if #left > 0 then redis.call('HSET', running, key, table.concat(left, '\0')) end
  local turn = redis.call('ZSCORE', turns, key)
  if turn and tonumber(turn) % 1 ~= 0 then
    redis.call('ZADD', turns, text(now), key)
    free = free + 1
  end
end
if free > 0 then wake(wake_channel, shard) end
return free
