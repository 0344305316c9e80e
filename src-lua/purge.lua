-- purge: deletes tasks in any state, live ones first.
-- The token counter and a pause stay. Tasks that are migrating to another shard also stay.
-- KEYS[1] index     ZSET  id -> when the task is due or its lease ends, epoch ms
-- KEYS[2] tasks     HASH  id -> envelope
-- KEYS[3] leases    HASH  id -> lease record
-- KEYS[4] attempts  HASH  id -> attempts record
-- KEYS[5] dead      ZSET  id -> time of death, epoch ms; plus QUARANTINED for a quarantined task
-- KEYS[6] holds     HASH  id -> hold, for tasks that are migrating to another shard
-- KEYS[7] groups    ZSET  ids of tasks that have a group; the prefix D marks dead tasks
-- ARGV[1] clock_offset  ms to add to the server's clock; 0 except in tests
-- ARGV[2] limit         NUMBER maximum number of tasks to delete, 1 to 500
-- Returns [1] number of live tasks that were deleted
--         [2] how many of these were leased
--         [3] number of dead tasks that were deleted
--         [4] number of tasks that remain
-- Cost: O(limit log N)

check_types({ groups }, { tasks, leases, attempts })
local micros, now = read_clock(clock_offset)
local live = without_held(holds, redis.call('ZRANGE', index, 0, limit - 1), now)
local died = without_held(holds, redis.call('ZRANGE', dead, 0, limit - 1), now)
for i = #died, limit - #live + 1, -1 do died[i] = nil end
local leased = #live > 0 and redis.call('HDEL', leases, unpack(live)) or 0
delete_tasks(live, index, groups, LIVE, tasks, attempts, holds)
delete_tasks(died, dead, groups, DEAD, tasks, attempts, holds)
return { #live, leased, #died, redis.call('ZCARD', index) + redis.call('ZCARD', dead) }
