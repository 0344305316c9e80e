-- layout_seen: reads the newest layout that a caller went by in a shard.
-- KEYS[1] layout  STRING  1:<epoch>:<shards>:<configured>:<earlier, 0 for none>
-- Returns the layout, '' if there was none
-- Cost: O(1)
local layout = KEYS[1]

return redis.call('GET', layout) or ''
