-- migration_take_in: stores tasks that another shard holds for a migration. The tasks do not change.
-- If a task with the same id and request id exists here, an earlier migration has copied it, and the copy stays. But if
-- the copy is dead and the incoming task is live, the incoming task was redriven and replaces the copy. A task with the
-- same id and another request id is replaced: calls reach the source shard first, so the incoming task is newer.
-- KEYS[1] index     ZSET    id -> when the task is due or its lease ends, epoch ms
-- KEYS[2] tasks     HASH    id -> envelope
-- KEYS[3] leases    HASH    id -> lease record
-- KEYS[4] attempts  HASH    id -> attempts record
-- KEYS[5] dead      ZSET    id -> time of death, epoch ms; plus QUARANTINED for a quarantined task
-- KEYS[6] holds     HASH    id -> hold
-- KEYS[7] sharding  STRING  the newest sharding that a caller has sent
-- KEYS[8] token     STRING  the last fencing token issued
-- KEYS[9] groups    ZSET    ids of tasks that have a group; the prefix D marks dead tasks
-- ARGV[1]    clock_offset   ms to add to the server's clock; 0 except in tests
-- ARGV[2]    wake_channel   channel for wake signals; '' for none
-- ARGV[3]    shard          number of the shard, sent as the wake signal
-- ARGV[4]    sharding_text  the caller's sharding
-- ARGV[5]    deadline       NUMBER epoch ms; from then on the script stores no task
-- ARGV[6]    least_token    NUMBER token of the holds. Later tokens of this shard are higher
-- ARGV[7...] 5 for each task: id; I (for the index) or D (dead); score there; envelope; attempts record or ''. At
--            most 500; the ids must differ
-- Returns 1: all tasks are stored here
--         0: the deadline has passed; nothing was changed
-- Errors  SHARDING: the caller's sharding is outdated; the message has the newer one
-- Cost: O(n log N)

local micros, now = read_clock(clock_offset)
local head = earliest(index)
check_types({ dead, groups }, { attempts, holds })
local last_token = parse_token(redis.call('GET', token))
if not last_token then return no_count() end
local ids = {}
for i = 1, count do ids[i] = ARGV[FIRST + (i - 1) * STEP] end
local here = redis.call('HMGET', tasks, unpack(ids))
local lease_records = redis.call('HMGET', leases, unpack(ids))
local stale = fence(sharding, sharding_text)
if stale then return stale end

local put, index_put, dead_put, attempt_put, unattempt = {}, {}, {}, {}, {}
local soonest, live, died = nil, {}, {}
for i = 1, count do
  local at = FIRST + (i - 1) * STEP
  local id, place, envelope, record = ids[i], ARGV[at + 1], ARGV[at + 3], ARGV[at + 4]
  local ms = tonumber(ARGV[at + 2])
  local is_copy = here[i] and string.sub(here[i], 3, ENVELOPE_MIN) == string.sub(envelope, 3, ENVELOPE_MIN)
  if is_copy and place == 'I' and redis.call('ZSCORE', dead, id) then is_copy = false end
  if not is_copy then
    append(put, id, envelope)
    local scores = place == 'I' and index_put or dead_put
    append(scores, ARGV[at + 2], id)
    if place == 'I' then soonest = math.min(soonest or math.huge, ms) end
    if lease_records[i] and record == '' then record = attempts_record(ms, 0, 0, true, MAY_RUN) end
    if record ~= '' then
      append(attempt_put, id, record)
    else
      unattempt[#unattempt + 1] = id
    end
    local there = place == 'I' and live or died
    there[#there + 1] = id
  end
end

-- If the reply to an earlier identical call was lost, the tasks are here.
if #put > 0 and now >= deadline then return 0 end
raise_token(token, last_token, least_token)
if #put > 0 then
  redis.call('HSET', tasks, unpack(put))
  regroup(groups, live, DEAD, LIVE)
  regroup(groups, died, LIVE, DEAD)
  send('ZADD', index, index_put)
  send('ZADD', dead, dead_put)
  send('HSET', attempts, attempt_put)
  send('HDEL', attempts, unattempt)
  send('ZREM', dead, live)
  send('ZREM', index, died)
  send('HDEL', leases, live)
  send('HDEL', leases, died)
  if soonest and (not head or soonest < head) then wake(wake_channel, shard) end
end
-- A copy may have a hold of a process that was migrating it the other way. If that process continued, it would delete
-- the only copy.
send('HDEL', holds, ids)
return 1
