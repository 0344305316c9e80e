-- key_turns: lets keys give their next tasks after deliveries have ended.
-- KEYS[1] leases   HASH  id -> lease record
-- KEYS[2] turns    ZSET  key -> its turn: when its next waiting task may be acquired, epoch ms. A fraction of .5 marks
--                        a key that waits for a delivery to end
-- KEYS[3] running  HASH  key -> ids of its deliveries in progress, separated by \0
-- ARGV[1]    clock_offset  ms to add to the server's clock; 0 except in tests
-- ARGV[2]    wake_channel  channel for wake signals; '' for none
-- ARGV[3]    shard         number of the shard, sent as the wake signal
-- ARGV[4...] one for each task: id of a task whose lease has ended. At most 500; the ids must differ
-- Returns the number of keys whose next task may be acquired now
-- Cost: O(n log N), and O(1) for each delivery in progress of these keys
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
  -- If another call has acquired the task since then, it is still in progress.
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
