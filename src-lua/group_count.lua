-- group_count: counts the live tasks of a group.
-- KEYS[1] leases  HASH    id -> lease record
-- KEYS[2] sharding  STRING  newest sharding that a caller went by
-- KEYS[3] groups  ZSET    ids of the tasks that have a group, D before those of dead ones
-- ARGV[1] sharding_text  the caller's sharding, '' for none
-- ARGV[2] group        the beginning of the ids of its tasks
-- Returns the number; the error SHARDING with the newer sharding if the caller's is older
-- Cost: O(log N)
local leases, sharding, groups = KEYS[1], KEYS[2], KEYS[3]
local sharding_text, group = ARGV[1], ARGV[2]

local count = redis.call('ZLEXCOUNT', groups, '[' .. LIVE .. group, '(' .. LIVE .. behind_group(group))
local stale = fence(sharding, sharding_text, leases)
if stale then return stale end
return count
