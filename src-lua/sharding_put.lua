-- sharding_put: records a new sharding of a queue if the caller knows the current one, or only reads the current one.
-- The epoch of a change is at least the server's clock, so that changes before and after a failover have different
-- epochs. A restored sharding, which Redis had lost, gets the lowest possible epoch, because a newer one may exist.
-- KEYS[1] sharding  STRING  1:<epoch>:<shards>:<configured>:<earlier, 0 for none>
-- ARGV[1] wake_channel  channel for wake signals; '' for none
-- ARGV[2] expected      NUMBER epoch of the sharding that the caller knows; 0 for none
-- ARGV[3] least         NUMBER the new epoch is higher than this one
-- ARGV[4] change        <shards>:<configured>:<earlier>; '' to read only
-- ARGV[5] kind          'new' for a change, 'lost' for the first sharding or a lost one
-- Returns [1] 1 (recorded) or 0 (only read, or another sharding is recorded)
--         [2] the recorded sharding; '' for none
-- Cost: O(1)

local recorded = redis.call('GET', sharding)
if change == '' or epoch_of(recorded) ~= expected then return { 0, recorded or '' } end
local micros, now = read_clock(0)
local changed = '1:' .. text(math.max(expected + 1, least + 1, kind == 'new' and now or 0)) .. ':' .. change
redis.call('SET', sharding, changed)
wake(wake_channel, 'sharding')
return { 1, changed }
