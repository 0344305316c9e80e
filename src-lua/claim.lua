-- claim: lets one process at a time do some work of a queue: migrate its tasks, or forward its dead ones.
--        This only avoids duplicate work; two processes at once would do no harm.
-- KEYS[1] claim  STRING  the process that does the work; expires
-- ARGV[1] owner  name of the process
-- ARGV[2] ttl    ms until another process may claim it; 0 to release it
-- Returns 1 (claimed) or 0 (another process has it)
-- Cost: O(1)
local claim = KEYS[1]
local owner, ttl = ARGV[1], ARGV[2]

local holder = redis.call('GET', claim)
if holder and holder ~= owner then return 0 end
-- A full Redis refuses a script whose first write could add data, so a removal comes first.
redis.call('DEL', claim)
if ttl ~= '0' then redis.call('SET', claim, owner, 'PX', ttl) end
return 1
