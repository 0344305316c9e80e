-- claim: lets only one process at a time migrate the tasks of a queue, or forward its dead tasks.
-- This only avoids duplicate work. Two processes at the same time would do no harm.
-- KEYS[1] claim  STRING  name of the process that does the work; expires
-- ARGV[1] owner  name of the calling process
-- ARGV[2] ttl    ms until another process may claim the work; 0 to release the claim
-- Returns 1: the caller has the claim, or has released it
--         0: another process has the claim
-- Cost: O(1)

local holder = redis.call('GET', claim)
if holder and holder ~= owner then return 0 end
-- Delete first: a full Redis refuses a script whose first write could add data.
redis.call('DEL', claim)
if ttl ~= '0' then redis.call('SET', claim, owner, 'PX', ttl) end
return 1
