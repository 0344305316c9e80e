-- witness: writes and leaves nothing behind.
-- The WAIT that follows on the same connection counts the replicas that have this write, and so everything before it.
-- Without a write of the connection's own it would count replicas that have nothing.
-- KEYS[1] leases   HASH    id -> lease record; not changed
-- KEYS[2] witness  STRING  never there
-- Returns 1
-- Cost: O(1)
local leases, witness = KEYS[1], KEYS[2]

redis.call('HLEN', leases)
allow_writes_when_full(leases)
redis.call('SET', witness, '')
redis.call('DEL', witness)
return 1
