-- sharding_put: records a new sharding of a queue, unless another caller has recorded one in the meantime; or reads it.
--             The epoch of a change is the server's clock or the next number, so that changes before and after a
--             failover have different epochs. A lost sharding keeps its epoch, because a newer one may exist.
-- KEYS[1] sharding  STRING  1:<epoch>:<shards>:<configured>:<earlier, 0 for none>
-- ARGV[1] wake_channel  name, '' for none
-- ARGV[2] expected      epoch that the caller knows to be recorded, 0 for no sharding
-- ARGV[3] least         epoch that the new one must exceed
-- ARGV[4] change        <shards>:<configured>:<earlier>, '' to read only
-- ARGV[5] kind          'new': the epoch is at least the server's clock; 'lost': it is the lowest possible
-- Returns [1] 1 (recorded) or 0 (another one is recorded, or it was only read); [2] the recorded sharding, '' for none
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
