-- redrive: makes dead tasks live again and resets their attempts.
-- KEYS[1] index     ZSET    id -> when the task is due or its lease ends, epoch ms
-- KEYS[2] tasks     HASH    id -> envelope
-- KEYS[3] leases    HASH    id -> lease record
-- KEYS[4] attempts  HASH    id -> attempts record
-- KEYS[5] dead      ZSET    id -> time of death, epoch ms; plus QUARANTINED for a quarantined task
-- KEYS[6] holds     HASH    id -> hold, for tasks that are migrating to another shard
-- KEYS[7] sharding  STRING  the newest sharding that a caller has sent
-- KEYS[8] history   STREAM  events of tasks; unused if the queue keeps no history
-- KEYS[9] groups    ZSET    ids of tasks that have a group; the prefix D marks dead tasks
-- ARGV[1]    clock_offset   ms to add to the server's clock; 0 except in tests
-- ARGV[2]    wake_channel   channel for wake signals; '' for none
-- ARGV[3]    shard          number of the shard, sent as the wake signal
-- ARGV[4]    sharding_text  the caller's sharding; '' to skip the check
-- ARGV[5]    seen_at        redrives only tasks that died then, epoch ms; '' for any
-- ARGV[6]    history_kept   number of entries to keep, a space and the name of this process; '' to write no history
-- ARGV[7...] 2 for each task: id; due time. At most 500; the ids must differ
-- Returns [1] latest due time that was set, epoch ms; '' for none
--         [2] for each task 1 (live) or 0 (nothing was changed: the task is not dead, died at another time, or a
--             newer version wrote its record)
-- Errors  MIGRATING: one of the tasks is migrating to another shard
--         SHARDING: the caller's sharding is outdated; the message has the newer one
--         DUETIME: a due time is after the year 9999
--         On an error the script changes no task
-- Cost: O(n log N)

local micros, now = read_clock(clock_offset)
local head = earliest(index)
check_types({}, { tasks, leases })
local any_group = redis.call('ZCARD', groups) > 0
local any_hold = redis.call('HLEN', holds) > 0

local ids = {}
for i = 1, count do ids[i] = ARGV[FIRST + (i - 1) * STEP] end
local attempts_records = redis.call('HMGET', attempts, unpack(ids))

local verdicts, live, index_put, attempt_put, attempt_drop = {}, {}, {}, {}, {}
local first_due, last_due = nil, nil
for i = 1, count do
  local id, record = ids[i], attempts_records[i]
  local died = redis.call('ZSCORE', dead, id)
  if not died or is_newer(record) or seen_at ~= '' and moment(died) ~= seen_at then
    verdicts[i] = 0
  else
    local due = due_at(micros, ARGV[FIRST + (i - 1) * STEP + 1])
    if due > MAX_DUE then return redis.error_reply('DUETIME after the year 9999') end
    if any_hold and held_until(holds, id, now) then return redis.error_reply('MIGRATING to another shard') end
    verdicts[i] = 1
    live[#live + 1] = id
    append(index_put, text(due), id)
    -- Keep the reasons of failed attempts, and the flag that a delivery may still be in progress, which a cancel
    -- reports.
    local old_due, failures, expired, uncertain, reason, trail = parse_attempts(record)
    if uncertain or (trail or '') ~= '' then
      append(attempt_put, id, attempts_record(due, 0, 0, uncertain, (uncertain and MAY_RUN or '') .. (trail or '')))
    else
      attempt_drop[#attempt_drop + 1] = id
    end
    first_due = math.min(first_due or due, due)
    last_due = math.max(last_due or due, due)
  end
end

local stale = fence(sharding, sharding_text, leases)
if stale then return stale end
if #live > 0 then
  allow_writes_when_full(leases)
  send('HSET', attempts, attempt_put)
  redis.call('ZADD', index, unpack(index_put))
  redis.call('ZREM', dead, unpack(live))
  if any_group then regroup(groups, live, DEAD, LIVE) end
  if any_hold then redis.call('HDEL', holds, unpack(live)) end
  send('HDEL', attempts, attempt_drop)
  if not head or first_due < head then wake(wake_channel, shard) end
  local note = chronicle(history, history_kept)
  for i = 1, #live do note(live[i], 'redriven', '') end
end
return { last_due and text(last_due) or '', verdicts }
