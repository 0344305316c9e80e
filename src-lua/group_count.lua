-- group_count: counts the live tasks of a group.
-- KEYS[1] leases  HASH    id -> lease record
-- KEYS[2] sharding  STRING  newest sharding passed by a caller
-- KEYS[3] groups  ZSET    ids of tasks with a group; those of dead tasks have the prefix D
-- ARGV[1] sharding_text  the caller's sharding, '' for none
-- ARGV[2] group        prefix of the ids of its tasks
-- Returns the number; the error SHARDING with the newer sharding if the caller's is older
-- Cost: O(log N)
local leases, sharding, groups = KEYS[1], KEYS[2], KEYS[3]
local sharding_text, group = ARGV[1], ARGV[2]

local count = redis.call('ZLEXCOUNT', groups, '[' .. LIVE .. group, '(' .. LIVE .. behind_group(group))
local stale = fence(sharding, sharding_text, leases)
if stale then return stale end
return count
