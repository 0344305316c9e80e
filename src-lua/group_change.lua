-- group_change: cancels the tasks of a group, shifts them, or sets their due time.
-- One call changes a limited number of tasks, in one step. CANCEL deletes live tasks first, then dead ones. DUE and
-- SHIFT do not change dead tasks. They also do not change a task in progress, unless it already waits for its delivery
-- to end.
-- KEYS[1]  index     ZSET    id -> when the task is due or its lease ends, epoch ms
-- KEYS[2]  tasks     HASH    id -> envelope
-- KEYS[3]  leases    HASH    id -> lease record
-- KEYS[4]  attempts  HASH    id -> attempts record
-- KEYS[5]  dead      ZSET    id -> time of death, epoch ms; plus QUARANTINED for a quarantined task
-- KEYS[6]  holds     HASH    id -> hold, for tasks that are migrating to another shard
-- KEYS[7]  sharding  STRING  the newest sharding that a caller has sent
-- KEYS[8]  groups    ZSET    ids of tasks that have a group; the prefix D marks dead tasks
-- KEYS[9]  shift     HASH    step -> 1:<time, epoch ms>:<reply, in MessagePack>, for the SHIFT steps of the last ten
--                            minutes
-- KEYS[10] history   STREAM  events of tasks; unused if the queue keeps no history
-- ARGV[1]  clock_offset   ms to add to the server's clock; 0 except in tests
-- ARGV[2]  wake_channel   channel for wake signals; '' for none
-- ARGV[3]  shard          number of the shard, sent as the wake signal
-- ARGV[4]  sharding_text  the caller's sharding; '' to skip the check
-- ARGV[5]  group          prefix that all ids of the group have
-- ARGV[6]  place          place that the previous step returned; '' to start
-- ARGV[7]  most           NUMBER maximum number of tasks, 1 to 500
-- ARGV[8]  action         CANCEL, DUE or SHIFT
-- ARGV[9]  amount         the due time for DUE; ms for SHIFT, negative for earlier; otherwise ''
-- ARGV[10] step           name of the step for SHIFT, otherwise ''
-- ARGV[11] history_kept   number of entries to keep, a space and the name of this process; '' to write no history
-- Returns [1] place for the next step; '' at the end
--         [2] number of changed live tasks with no delivery in progress
--         [3] ids of live tasks with a delivery that has started and may still be in progress
--         [4] number of dead tasks that were deleted
--         A repeated SHIFT returns the first reply and changes nothing
-- Errors  DUETIME: the due time is after the year 9999
--         NEWER: a newer version of this library wrote a record of the task
--         MIGRATING: one of the tasks is migrating to another shard
--         SHARDING: the caller's sharding is outdated; the message has the newer one
--         On an error the script changes no task
-- Cost: O(most log N)

local REMEMBERED, SAMPLE = 600000, 20
local micros, now = read_clock(clock_offset)
local function is_outdated(_, record) return now - tonumber(string.match(record, '^1:(%d+):') or 0) > REMEMBERED end
if action == 'SHIFT' then
  local answer = string.match(redis.call('HGET', shift, step) or '', '^1:%d+:(.*)$')
  if answer then return cmsgpack.unpack(answer) end
end
local due_given = nil
if action == 'DUE' then
  due_given = due_at(micros, amount)
  if due_given > MAX_DUE then return redis.error_reply('DUETIME after the year 9999') end
end
local head = earliest(index)
redis.call('HLEN', tasks)
local any_lease, any_attempts = redis.call('HLEN', leases) > 0, redis.call('HLEN', attempts) > 0
local any_hold = redis.call('HLEN', holds) > 0
-- Dead members follow the live ones. Their places begin with DEAD, unlike any id.
local from_dead = string.sub(place, 1, #DEAD) == DEAD
local ids = from_dead and {} or group_members(groups, group, LIVE, place, most + 1)
local next_place = ids[most + 1] or ''
local discarded, lost_dead = {}, {}
if action == 'CANCEL' and next_place == '' then
  redis.call('ZCARD', dead)
  local room = most - #ids
  local members = group_members(groups, group, DEAD, from_dead and string.sub(place, #DEAD + 1) or '', room + 1)
  next_place = members[room + 1] or ''
  for i = 1, math.min(#members, room) do
    local id = string.sub(members[i], #DEAD + 1)
    if any_hold and held_until(holds, id, now) then return redis.error_reply('MIGRATING to another shard') end
    local which = redis.call('ZSCORE', dead, id) and discarded or lost_dead
    which[#which + 1] = id
  end
end
local changed, begun, gone, lost = 0, {}, {}, {}
local index_put, attempt_put, task_put, lease_put, unhold = {}, {}, {}, {}, {}
local soonest, moved = nil, {}

local function put_off(id, score, lease, record)
  local token, ends_at, leased_due, waits, holder = parse_lease(lease)
  local first_due, failures, expired, uncertain, reason, trail = parse_attempts(record)
  if lease or uncertain then begun[#begun + 1] = id else changed = changed + 1 end
  if lease and not waits then return end
  local at = waits and leased_due or math.floor(score)
  local due, own = due_given, due_given
  if action == 'SHIFT' then
    due = math.max(0, math.min((leased_due or first_due or at) + tonumber(amount), MAX_DUE))
    own = math.max(0, math.min(at + tonumber(amount), MAX_DUE))
  end
  if waits then
    append(lease_put, id, lease_record(token .. 'w', text(ends_at), text(own), holder))
    own = math.max(own, ends_at)
  end
  if first_due then
    append(attempt_put, id, attempts_record(due, failures, expired, uncertain, reason .. (trail or '')))
  end
  local envelope = uncertain and redis.call('HGET', tasks, id)
  if envelope then append(task_put, id, next_envelope(envelope)) end
  append(index_put, text(own), id)
  append(moved, id, due)
  soonest = math.min(soonest or own, own)
  unhold[#unhold + 1] = id
end

for i = 1, math.min(#ids, most) do
  local id = ids[i]
  local score = redis.call('ZSCORE', index, id)
  if score then
    local lease = any_lease and redis.call('HGET', leases, id) or nil
    local record = any_attempts and redis.call('HGET', attempts, id) or nil
    if any_hold and held_until(holds, id, now) then return redis.error_reply('MIGRATING to another shard') end
    if action == 'CANCEL' then
      local first_due, failures, expired, uncertain = parse_attempts(record)
      gone[#gone + 1] = id
      if lease or uncertain then begun[#begun + 1] = id else changed = changed + 1 end
    elseif is_newer(lease) or is_newer(record) then
      return redis.error_reply('NEWER the format of a record')
    else
      put_off(id, attention(score), lease, record)
    end
  else
    lost[#lost + 1] = id
  end
end
local stale = fence(sharding, sharding_text, leases)
if stale then return stale end

allow_writes_when_full(leases)
local answer = { next_place, changed, begun, #discarded }
if action == 'SHIFT' then
  -- Each step deletes some outdated steps. The key has no expiry, because an eviction policy may delete keys with an
  -- expiry.
  drop_some(shift, micros, SAMPLE, is_outdated)
  redis.call('HSET', shift, step, '1:' .. text(now) .. ':' .. cmsgpack.pack(answer))
end
delete_tasks(gone, index, groups, LIVE, tasks, any_lease and leases, any_attempts and attempts, any_hold and holds)
delete_tasks(discarded, dead, groups, DEAD, tasks, any_attempts and attempts, any_hold and holds)
if #index_put > 0 then
  send('HSET', attempts, attempt_put)
  redis.call('ZADD', index, unpack(index_put))
  send('HSET', tasks, task_put)
  send('HSET', leases, lease_put)
  if any_hold then redis.call('HDEL', holds, unpack(unhold)) end
end
if #lost > 0 then regroup(groups, lost, LIVE) end
if #lost_dead > 0 then regroup(groups, lost_dead, DEAD) end
local note = chronicle(history, history_kept)
for i = 1, #gone do note(gone[i], 'cancelled', '') end
for i = 1, #discarded do note(discarded[i], 'discarded', '') end
for i = 1, #moved, 2 do note(moved[i], 'rescheduled', text(moved[i + 1])) end
if soonest and soonest < head then wake(wake_channel, shard) end
return answer
