-- pause: pauses or resumes a shard.
-- While a shard is paused, no process acquires its tasks. Existing leases stay. Resuming a shard wakes the pollers.
-- KEYS[1] leases  HASH    id -> lease record
-- KEYS[2] paused  STRING  1:<start of the pause, epoch ms>; exists only while the queue is paused
-- ARGV[1] clock_offset  ms to add to the server's clock; 0 except in tests
-- ARGV[2] wake_channel  channel for wake signals; '' for none
-- ARGV[3] shard         number of the shard, sent as the wake signal
-- ARGV[4] wanted        1 to pause, 0 to resume
-- Returns 1: done
--         0: nothing was changed, because the shard is in this state already
-- Cost: O(1)
local leases, paused = KEYS[1], KEYS[2]
local clock_offset, wake_channel, shard, wanted = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local micros, now = read_clock(clock_offset)
redis.call('HLEN', leases)
if (redis.call('GET', paused) and '1' or '0') == wanted then return 0 end
allow_writes_when_full(leases)
if wanted == '1' then
  redis.call('SET', paused, '1:' .. text(now))
else
  redis.call('DEL', paused)
  wake(wake_channel, shard)
end
return 1
