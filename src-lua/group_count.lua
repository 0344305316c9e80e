-- group_count: counts the live tasks of a group.
-- KEYS[1] leases    HASH    id -> lease record
-- KEYS[2] sharding  STRING  the newest sharding that a caller has sent
-- KEYS[3] groups    ZSET    ids of tasks that have a group; the prefix D marks dead tasks
-- ARGV[1] sharding_text  the caller's sharding; '' to skip the check
-- ARGV[2] group          prefix that all ids of the group have
-- Returns the number of tasks
-- Errors  SHARDING: the caller's sharding is outdated; the message has the newer one
-- Cost: O(log N)

local count = redis.call('ZLEXCOUNT', groups, '[' .. LIVE .. group, '(' .. LIVE .. behind_group(group))
local stale = fence(sharding, sharding_text, leases)
if stale then return stale end
return count
