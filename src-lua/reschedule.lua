-- reschedule: changes the due time of a live task.
-- A leased task waits at least until its lease ends. If a delivery has started, the script derives a new request id
-- from the old one, so that consumers can distinguish the next delivery from the one that has started. A dead task
-- stays dead.
-- KEYS[1] index     ZSET    id -> when the task is due or its lease ends, epoch ms
-- KEYS[2] tasks     HASH    id -> envelope
-- KEYS[3] leases    HASH    id -> lease record
-- KEYS[4] attempts  HASH    id -> attempts record
-- KEYS[5] holds     HASH    id -> hold, for tasks that are migrating to another shard
-- KEYS[6] sharding  STRING  the newest sharding that a caller has sent
-- KEYS[7] history   STREAM  events of tasks; unused if the queue keeps no history
-- KEYS[8] turns     ZSET    key -> its turn, epoch ms
-- ARGV[1] clock_offset   ms to add to the server's clock; 0 except in tests
-- ARGV[2] wake_channel   channel for wake signals; '' for none
-- ARGV[3] shard          number of the shard, sent as the wake signal
-- ARGV[4] sharding_text  the caller's sharding; '' to skip the check
-- ARGV[5] id
-- ARGV[6] due_text       due time
-- ARGV[7] seen_at        NUMBER changes the task only if it is due, its key has its turn or its lease ends then, epoch ms;
--                        '' for any
-- ARGV[8] history_kept   number of entries to keep, a space and the name of this process; '' to write no history
-- Returns M: rescheduled, and no delivery is in progress
--         F: rescheduled, but a delivery has started and may still be in progress
--         N: no live task has this id, or it has changed
-- Errors  NEWER: a newer version of this library wrote a record of the task
--         MIGRATING: the task is migrating to another shard
--         SHARDING: the caller's sharding is outdated; the message has the newer one
--         DUETIME: the due time is after the year 9999
-- Cost: O(log N)

local micros, now = read_clock(clock_offset)
local due = due_at(micros, due_text)
if due > MAX_DUE then return redis.error_reply('DUETIME after the year 9999') end
local lease = redis.call('HGET', leases, id)
local record = redis.call('HGET', attempts, id)
local first_due, failures, expired, uncertain, reason, trail = parse_attempts(record)
local head = earliest(index)
local any_hold = redis.call('HLEN', holds) > 0
local live = redis.call('ZSCORE', index, id)
local begun = uncertain or (lease and true or false)
local envelope = begun and redis.call('HGET', tasks, id)
local leased_under, leased_until, leased_due, waited, holder = parse_lease(lease)
local waits = leased_under and leased_until > now
local stale = fence(sharding, sharding_text, leases)
if stale then return stale end
if not live or not has_time(live, seen_at, turns, id) then return 'N' end
if any_hold and held_until(holds, id, now) then return redis.error_reply('MIGRATING to another shard') end
if is_newer(lease) or is_newer(record) then return redis.error_reply('NEWER the format of a record') end

local score = waits and math.max(due, leased_until) or due
-- If the lease stays, it shows that a delivery is in progress. Otherwise the attempts record must show this.
local marks = uncertain or (begun and not waits) or false

allow_writes_when_full(leases)
if marks or first_due then
  redis.call('HSET', attempts, id,
    attempts_record(due, failures or 0, expired or 0, marks, (reason or 'rescheduled during a delivery') .. (trail or '')))
end
redis.call('ZADD', index, text(score), id)
if envelope then redis.call('HSET', tasks, id, next_envelope(envelope)) end
if waits then
  redis.call('HSET', leases, id, lease_record(leased_under .. 'w', text(leased_until), text(due), holder))
elseif lease then
  redis.call('HDEL', leases, id)
end
if any_hold then redis.call('HDEL', holds, id) end
if score < head then wake(wake_channel, shard) end
if history_kept ~= '' then chronicle(history, history_kept)(id, 'rescheduled', text(due)) end
return begun and 'F' or 'M'
