-- sharding_put: records a new sharding of a queue, unless another one was recorded since the caller looked; or reads it.
--             The epoch of a change is the server's clock or the next number, so that no two changes have the same one
--             after a failover that lost the latest. A sharding that was lost gets no higher epoch than it had, for
--             there may have been a newer one.
-- KEYS[1] sharding  STRING  1:<epoch>:<shards>:<configured>:<earlier, 0 for none>
-- ARGV[1] wake_channel  name, '' for none
-- ARGV[2] expected      epoch that the caller knows to be recorded, 0 for no sharding
-- ARGV[3] least         epoch that the new one has to exceed
-- ARGV[4] change        <shards>:<configured>:<earlier>, '' to read only
-- ARGV[5] kind          'new': the epoch is at least the server's clock; 'lost': it is the lowest possible
-- Returns [1] 1 (recorded) or 0 (not: another one is there, or it was only read); [2] the sharding recorded now, '' if
--         none
-- Cost: O(1)
local sharding = KEYS[1]
local wake_channel, expected, least, change, kind = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], ARGV[5]

local recorded = redis.call('GET', sharding)
if change == '' or epoch_of(recorded) ~= expected then return { 0, recorded or '' } end
local micros, now = read_clock(0)
local changed = '1:' .. text(math.max(expected + 1, least + 1, kind == 'new' and now or 0)) .. ':' .. change
redis.call('SET', sharding, changed)
wake(wake_channel, 'sharding')
return { 1, changed }
