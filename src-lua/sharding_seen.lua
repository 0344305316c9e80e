-- sharding_seen: reads the newest sharding that a caller has sent to a shard.
-- KEYS[1] sharding  STRING  1:<epoch>:<shards>:<configured>:<earlier, 0 for none>
-- Returns the sharding; '' for none
-- Cost: O(1)

return redis.call('GET', sharding) or ''
