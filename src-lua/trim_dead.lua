-- trim_dead: deletes the dead tasks that have passed their retention, oldest first.
-- Quarantined tasks stay. Tasks that are migrating to another shard also stay.
-- KEYS[1] tasks     HASH  id -> envelope
-- KEYS[2] attempts  HASH  id -> attempts record
-- KEYS[3] dead      ZSET  id -> time of death, epoch ms; plus QUARANTINED for a quarantined task
-- KEYS[4] holds     HASH  id -> hold, for tasks that are migrating to another shard
-- KEYS[5] groups    ZSET  ids of tasks that have a group; the prefix D marks dead tasks
-- ARGV[1] clock_offset  ms to add to the server's clock; 0 except in tests
-- ARGV[2] retention     NUMBER ms to keep a dead task
-- ARGV[3] limit         NUMBER maximum number of tasks to delete, 1 to 500
-- Returns [1] 1 if more tasks can be deleted now, otherwise 0
--         [2] ids of the deleted tasks
-- Cost: O(limit log N)

local micros, now = read_clock(clock_offset)
check_types({ groups }, { tasks, attempts, holds })
local old = redis.call('ZCOUNT', dead, '-inf', text(now - retention))
local oldest = old > 0 and redis.call('ZRANGE', dead, 0, math.min(old, limit) - 1) or {}
local gone = without_held(holds, oldest, now)
delete_tasks(gone, dead, groups, DEAD, tasks, attempts, holds)
return { #gone > 0 and old > #gone and 1 or 0, gone }
