-- layout_seen: reads the newest layout that a caller went by in a shard.
-- KEYS[1] layout  STRING  2:<epoch>:<shards>:<configured>:<older, comma between>, or 1:<shards>
-- Returns the layout, '' if there was none
-- Cost: O(1)
local layout = KEYS[1]

return redis.call('GET', layout) or ''
