-- cancel: deletes a task, live or dead.
-- KEYS[1] index     ZSET  id -> next moment of attention
-- KEYS[2] tasks     HASH  id -> envelope
-- KEYS[3] leases    HASH  id -> lease record
-- KEYS[4] attempts  HASH  id -> attempts record
-- KEYS[5] dead      ZSET  id -> time of death
-- KEYS[6] holds      HASH    id -> hold, while tasks migrate to another shard
-- KEYS[7] sharding   STRING  newest sharding passed by a caller
-- KEYS[8] history   STREAM  history of tasks; not written if the queue keeps none
-- KEYS[9] groups     ZSET    ids of tasks with a group; those of dead tasks have the prefix D
-- ARGV[1] clock_offset  ms, 0 except in tests
-- ARGV[2] sharding_text the caller's sharding, '' for none
-- ARGV[3] id
-- ARGV[4] history_kept  number of history entries to keep, a space and the name of this process; '' for no history
-- Returns C (cancelled), F (deleted, but a delivery had started and its end is unknown), D (deleted a dead task) or N
--         (no such task); the error MIGRATING if it is migrating to another shard, SHARDING with the newer sharding if
--         the caller's is older
-- Cost: O(log N)
local index, tasks, leases, attempts, dead, holds, sharding, history, groups =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8], KEYS[9]
local clock_offset, sharding_text, id, history_kept = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local lease = redis.call('HGET', leases, id)
local record = redis.call('HGET', attempts, id)
local first_due, failures, expired, uncertain = parse_attempts(record)
local hold = redis.call('HGET', holds, id)
redis.call('HLEN', tasks)
local is_grouped = string.byte(id) == BRACE and redis.call('ZCARD', groups) > 0
local stale = fence(sharding, sharding_text, leases, index)
if stale then return stale end
if hold and (redis.call('ZSCORE', index, id) or redis.call('ZSCORE', dead, id)) then
  local micros, now = read_clock(clock_offset)
  if held_until(holds, id, now) then return redis.error_reply('MIGRATING to another shard') end
end

local was_live = redis.call('ZREM', index, id) == 1
if not was_live and redis.call('ZREM', dead, id) == 0 then return 'N' end
if is_grouped then regroup(groups, { id }, was_live and LIVE or DEAD) end
redis.call('HDEL', tasks, id)
if lease then redis.call('HDEL', leases, id) end
if record then redis.call('HDEL', attempts, id) end
if hold then redis.call('HDEL', holds, id) end
if history_kept ~= '' then chronicle(history, history_kept)(id, was_live and 'cancelled' or 'discarded', '') end
if not was_live then return 'D' end
return (lease or uncertain) and 'F' or 'C'
