-- key_limits_page: reads the run-time settings of keys, to copy them to other shards.
-- KEYS[1] leases     HASH    id -> lease record
-- KEYS[2] sharding   STRING  the newest sharding that a caller has sent
-- KEYS[3] keylimits  HASH    L<key> -> limits of the key; C<key> -> when the key opens again, epoch ms
-- ARGV[1] sharding_text  the caller's sharding
-- ARGV[2] cursor         cursor that the previous call returned; '0' for the first call
-- ARGV[3] count          approximate number of fields to read
-- Returns [1] cursor for the next call; '0' after the last one
--         [2] two values for each field: field; value
-- Errors  SHARDING: the caller's sharding is outdated; the message has the newer one
-- Cost: O(count)

redis.call('HLEN', keylimits)
local stale = fence(sharding, sharding_text, leases)
if stale then return stale end
return redis.call('HSCAN', keylimits, cursor, 'COUNT', count)
