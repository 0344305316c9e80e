-- noop_write: writes and deletes a key, so that the next WAIT on this connection has a write to wait for.
-- WAIT counts the replicas that have the last write of its connection, and therefore all earlier writes too. On a
-- connection without writes, it would count all replicas, even those that lag behind. The script writes to its own
-- key and not to a key of a shard, because one WAIT covers the calls of several shards.
-- KEYS[1] noop  STRING  exists only inside this script
-- Returns 1
-- Cost: O(1)

-- Because the first write cannot add data, a full Redis accepts the script with all its writes.
redis.call('DEL', noop)
redis.call('SET', noop, '')
redis.call('DEL', noop)
return 1
