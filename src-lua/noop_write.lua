-- noop_write: a write that leaves nothing behind.
--             The WAIT that follows on the same connection counts the replicas that have this write, and therefore
--             everything before it. Without a write of its own, the connection would count replicas that have nothing.
--             It uses no other key, because it also counts calls of other shards.
-- KEYS[1] noop  STRING  never exists
-- Returns 1
-- Cost: O(1)
local noop = KEYS[1]

-- Starts with a write that cannot add data, whatever the type, so that a full Redis accepts the next.
redis.call('DEL', noop)
redis.call('SET', noop, '')
redis.call('DEL', noop)
return 1
