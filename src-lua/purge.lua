-- purge: deletes tasks whatever their state, live ones first. Neither the token counter nor a pause is touched.
--        Those that are migrating to another shard are passed over.
-- KEYS[1] index     ZSET  id -> next moment of attention
-- KEYS[2] tasks     HASH  id -> envelope
-- KEYS[3] leases    HASH  id -> lease record
-- KEYS[4] attempts  HASH  id -> attempts record
-- KEYS[5] dead      ZSET  id -> time of death
-- KEYS[6] holds      HASH    id -> hold, while tasks migrate to another shard
-- KEYS[7] groups  ZSET  ids of the tasks that have a group, D before those of dead ones
-- ARGV[1] clock_offset  ms, 0 but in tests
-- ARGV[2] limit         tasks to delete at most, 1 to 500
-- Returns [1] how many live ones were deleted; [2] of them leased; [3] how many dead ones; [4] how many tasks are left
-- Cost: O(limit log N)
local index, tasks, leases, attempts, dead, holds, groups = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local clock_offset, limit = ARGV[1], tonumber(ARGV[2])

redis.call('HLEN', tasks)
redis.call('HLEN', leases)
redis.call('HLEN', attempts)
local any_group = redis.call('ZCARD', groups) > 0
local any_hold = redis.call('HLEN', holds) > 0
local micros, now = read_clock(clock_offset)
local function without_held(found)
  if not any_hold then return found end
  local free = {}
  for i = 1, #found do
    if not held_until(holds, found[i], now) then free[#free + 1] = found[i] end
  end
  return free
end
local live = without_held(redis.call('ZRANGE', index, 0, limit - 1))
local rest = limit - #live
local died = without_held(redis.call('ZRANGE', dead, 0, limit - 1))
local ids = {}
for i = 1, #live do ids[i] = live[i] end
local dead_gone = {}
for i = 1, math.min(rest, #died) do
  dead_gone[i] = died[i]
  ids[#ids + 1] = died[i]
end
if #ids == 0 then return { 0, 0, 0, redis.call('ZCARD', index) + redis.call('ZCARD', dead) } end

local leased = 0
if #live > 0 then
  leased = redis.call('HDEL', leases, unpack(live))
  redis.call('ZREM', index, unpack(live))
end
if #dead_gone > 0 then redis.call('ZREM', dead, unpack(dead_gone)) end
if any_group then
  regroup(groups, live, LIVE)
  regroup(groups, dead_gone, DEAD)
end
redis.call('HDEL', tasks, unpack(ids))
redis.call('HDEL', attempts, unpack(ids))
if any_hold then redis.call('HDEL', holds, unpack(ids)) end
return { #live, leased, #dead_gone, redis.call('ZCARD', index) + redis.call('ZCARD', dead) }
