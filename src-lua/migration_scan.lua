-- migration_scan: reads the tasks of a shard, to find the tasks that must migrate to another one.
-- A task that exists during the whole scan is returned at least once.
-- KEYS[1] tasks     HASH    id -> envelope
-- KEYS[2] leases    HASH    id -> lease record
-- KEYS[3] sharding  STRING  the newest sharding that a caller has sent
-- ARGV[1] sharding_text  the caller's sharding
-- ARGV[2] cursor         cursor that the previous call returned; '0' for the first call
-- ARGV[3] count          approximate number of tasks to read
-- Returns [1] cursor for the next call; '0' after the last one
--         [2] number of bytes that were read
--         [3] two values for each task: id; first byte of the envelope, which is its version
-- Errors  SHARDING: the caller's sharding is outdated; the message has the newer one
-- Cost: O(count)

redis.call('HLEN', tasks)
local stale = fence(sharding, sharding_text, leases)
if stale then return stale end
local page = redis.call('HSCAN', tasks, cursor, 'COUNT', count)
local found, bytes = {}, 0
for i = 1, #page[2], 2 do
  local envelope = page[2][i + 1]
  found[i], found[i + 1] = page[2][i], string.sub(envelope, 1, 1)
  bytes = bytes + #envelope
end
return { page[1], text(bytes), found }
