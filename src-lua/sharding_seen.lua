-- sharding_seen: reads the newest sharding that a caller went by in a shard.
-- KEYS[1] sharding  STRING  1:<epoch>:<shards>:<configured>:<earlier, 0 for none>
-- Returns the sharding, '' if there was none
-- Cost: O(1)
local sharding = KEYS[1]

return redis.call('GET', sharding) or ''
