-- resume: lets tasks of the shard be acquired again, and wakes the pollers.
-- KEYS[1] paused  STRING  1:<since when, epoch ms>, there while the queue is paused
-- ARGV[1] wake_channel  name, '' for none
-- ARGV[2] shard         number, the wake message
-- Returns 1 (resumed) or 0 (it was not paused)
-- Cost: O(1)
local paused = KEYS[1]
local wake_channel, shard = ARGV[1], ARGV[2]

if not redis.call('GET', paused) then return 0 end
redis.call('DEL', paused)
wake(wake_channel, shard)
return 1
