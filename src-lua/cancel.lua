-- cancel: deletes a live task. A dead one is left alone.
-- KEYS[1] index     ZSET  id -> next moment of attention
-- KEYS[2] tasks     HASH  id -> envelope
-- KEYS[3] leases    HASH  id -> lease record
-- KEYS[4] attempts  HASH  id -> attempts record
-- ARGV[1] id
-- Returns C (cancelled), F (deleted, but a delivery had begun and its end is not known) or N (no such live task)
-- Cost: O(log N)
local index, tasks, leases, attempts = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local id = ARGV[1]

local lease = redis.call('HGET', leases, id)
local record = redis.call('HGET', attempts, id)
local first_due, failures, expired, uncertain = parse_attempts(record)
redis.call('HLEN', tasks)
if redis.call('ZREM', index, id) == 0 then return 'N' end

redis.call('HDEL', tasks, id)
if lease then redis.call('HDEL', leases, id) end
if record then redis.call('HDEL', attempts, id) end
return (lease or uncertain) and 'F' or 'C'
