-- pause: stops every process from acquiring tasks of the shard. Leases stay what they are.
-- KEYS[1] leases  HASH    id -> lease record
-- KEYS[2] paused  STRING  1:<since when, epoch ms>, there while the queue is paused
-- ARGV[1] clock_offset  ms, 0 but in tests
-- Returns 1 (paused) or 0 (it was already, and since when is kept)
-- Cost: O(1)
local leases, paused = KEYS[1], KEYS[2]
local clock_offset = ARGV[1]

local micros, now = read_clock(clock_offset)
redis.call('HLEN', leases)
if redis.call('GET', paused) then return 0 end
allow_writes_when_full(leases)
redis.call('SET', paused, '1:' .. text(now))
return 1
