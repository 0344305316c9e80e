-- keyed: tells whether tasks of a queue may have shard keys other than their ids, or notes that they may from now on.
--        A caller that finds no task where its id belongs asks this before it looks for it in all other shards.
-- KEYS[1] keyed  STRING  1, there once a task with a shard key of its own was to be stored
-- ARGV[1] note   1 to note it, 0 to ask only
-- Returns 1 (they may) or 0 (no task has one)
-- Cost: O(1)
local keyed = KEYS[1]
local note = ARGV[1]

if redis.call('GET', keyed) then return 1 end
if note == '0' then return 0 end
redis.call('SET', keyed, '1')
return 1
