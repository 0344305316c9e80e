-- noop_write: a write that leaves nothing behind.
--             The WAIT that follows on the same connection counts the replicas that have this write, and therefore
--             all writes before it. On a connection without any write, WAIT would count replicas that have nothing.
--             The write uses a separate key, because it stands for the calls of several shards.
-- KEYS[1] noop  STRING  never exists
-- Returns 1
-- Cost: O(1)
local noop = KEYS[1]

-- The first write cannot add data, so a full Redis accepts the script and its next write.
redis.call('DEL', noop)
redis.call('SET', noop, '')
redis.call('DEL', noop)
return 1
