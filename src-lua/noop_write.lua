-- noop_write: a write that leaves nothing behind.
-- The WAIT that follows on the same connection counts the replicas that have this write, and so everything before it.
-- Without a write of the connection's own it would count replicas that have nothing.
-- It looks at no other key: calls of other shards are counted by it too.
-- KEYS[1] noop  STRING  never there
-- Returns 1
-- Cost: O(1)
local noop = KEYS[1]

-- A write that cannot grow the data first, and of any type, so that a full Redis takes the next one.
redis.call('DEL', noop)
redis.call('SET', noop, '')
redis.call('DEL', noop)
return 1
