-- migrator_claim: lets one process at a time migrate the tasks of a queue to other shards.
--              Only so that several do not do the same work: migrations are safe without it.
-- KEYS[1] migrator  STRING  who migrates them, with an expiry
-- ARGV[1] owner  name of the process
-- ARGV[2] ttl    ms until somebody else may; 0 gives it up
-- Returns 1 (the caller's) or 0 (somebody else's)
-- Cost: O(1)
local migrator = KEYS[1]
local owner, ttl = ARGV[1], ARGV[2]

local holder = redis.call('GET', migrator)
if holder and holder ~= owner then return 0 end
-- First in any case: a full Redis allows the script to write after a removal, and refuses it before.
redis.call('DEL', migrator)
if ttl ~= '0' then redis.call('SET', migrator, owner, 'PX', ttl) end
return 1
