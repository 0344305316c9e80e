-- cancel: deletes a task, live or dead.
-- KEYS[1] index     ZSET    id -> when the task is due or its lease ends, epoch ms
-- KEYS[2] tasks     HASH    id -> envelope
-- KEYS[3] leases    HASH    id -> lease record
-- KEYS[4] attempts  HASH    id -> attempts record
-- KEYS[5] dead      ZSET    id -> time of death, epoch ms; plus QUARANTINED for a quarantined task
-- KEYS[6] holds     HASH    id -> hold, for tasks that are migrating to another shard
-- KEYS[7] sharding  STRING  the newest sharding that a caller has sent
-- KEYS[8] history   STREAM  events of tasks; unused if the queue keeps no history
-- KEYS[9] groups    ZSET    ids of tasks that have a group; the prefix D marks dead tasks
-- KEYS[10] turns    ZSET    key -> its turn, epoch ms
-- ARGV[1] clock_offset   ms to add to the server's clock; 0 except in tests
-- ARGV[2] sharding_text  the caller's sharding; '' to skip the check
-- ARGV[3] id
-- ARGV[4] seen_at        NUMBER deletes the task only if it is due, its key has its turn, its lease ends or it died
--                        then, epoch ms; '' for any
-- ARGV[5] history_kept   number of entries to keep, a space and the name of this process; '' to write no history
-- Returns C: the task is deleted, and no delivery is in progress
--         F: the task is deleted, but a delivery has started and may still be in progress
--         D: the task is deleted; it was dead
--         N: no task has this id, or it has changed
-- Errors  MIGRATING: the task is migrating to another shard
--         SHARDING: the caller's sharding is outdated; the message has the newer one
-- Cost: O(log N)

local live = redis.call('ZSCORE', index, id)
local died = not live and redis.call('ZSCORE', dead, id)
local lease = redis.call('HGET', leases, id)
local record = redis.call('HGET', attempts, id)
local first_due, failures, expired, uncertain = parse_attempts(record)
local hold = redis.call('HGET', holds, id)
redis.call('HLEN', tasks)
if string.byte(id) == BRACE then redis.call('ZCARD', groups) end
local stale = fence(sharding, sharding_text, leases)
if stale then return stale end
if not live and not died then return 'N' end
if hold then
  local micros, now = read_clock(clock_offset)
  if held_until(holds, id, now) then return redis.error_reply('MIGRATING to another shard') end
end
if not has_time(live or died, seen_at, turns, id) then return 'N' end

local set, mark, event = index, LIVE, 'cancelled'
if died then set, mark, event = dead, DEAD, 'discarded' end
delete_tasks({ id }, set, groups, mark, tasks, lease and leases, record and attempts, hold and holds)
if history_kept ~= '' then chronicle(history, history_kept)(id, event, '') end
if died then return 'D' end
return (lease or uncertain) and 'F' or 'C'
