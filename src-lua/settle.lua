-- settle: ends leases. Each lease comes with an ending, which decides what happens to the task.
-- If a key waits for the end of a delivery, its next task may be acquired now.
-- KEYS[1] index     ZSET    id -> when the task is due or its lease ends, epoch ms
-- KEYS[2] tasks     HASH    id -> envelope
-- KEYS[3] leases    HASH    id -> lease record
-- KEYS[4] attempts  HASH    id -> attempts record
-- KEYS[5] dead      ZSET    id -> time of death, epoch ms; plus QUARANTINED for a quarantined task
-- KEYS[6] history   STREAM  events of tasks; unused if the queue keeps no history
-- KEYS[7] groups    ZSET    ids of tasks that have a group; the prefix D marks dead tasks
-- KEYS[8] turns     ZSET    key -> its turn: when its next waiting task may be acquired, epoch ms. A fraction of .5
--                           marks a key that waits for a delivery to end
-- KEYS[9] running   HASH    key -> ids of its deliveries in progress, separated by \0
-- ARGV[1]    clock_offset  ms to add to the server's clock; 0 except in tests
-- ARGV[2]    wake_channel  channel for wake signals; '' for none
-- ARGV[3]    shard         number of the shard, sent as the wake signal
-- ARGV[4]    history_kept  number of entries to keep, a space and the name of this process; '' to write no history
-- ARGV[5...] 3 for each lease: id; token; ending. At most 500; the ids must differ.
--            An ending is ACK or four values separated by spaces: <verb> <due time> <flags> <reason>
--            After the reason there may be \31 and the stack trace of the failure.
--            verb      ACK         the task was delivered: delete it
--                      AGAIN       the task was delivered: start a new round at the due time, with no attempts and
--                                  another request id
--                      RETRY       retry the task at the due time
--                      RELEASE     count no attempt: the task is due as before
--                      DISCARD     give the task up: delete it
--                      DEAD        give the task up: keep it as dead
--                      QUARANTINE  the same, but limits on age and number do not apply to it
--            due time  may have passed; only RETRY and AGAIN use it
--            flags     c counts a failure; u says that the delivery may still be in progress
-- Returns for each lease
--         1: settled
--         0: nothing was changed, because the lease has another token or no longer exists
--         0: nothing was changed, because the lease record is unreadable and the ending is not ACK
--         0: the lease has ended, but the task waits, because it was scheduled or rescheduled during the delivery. Of
--            the ending, only the flag u was recorded.
-- Cost: O(n log N)

redis.call('HLEN', tasks)
redis.call('ZCARD', dead)

-- Only ids that begin with a brace have a key or a group.
local ids, any_brace = {}, false
for i = 1, count do
  local id = ARGV[FIRST + (i - 1) * STEP]
  ids[i], any_brace = id, any_brace or string.byte(id) == BRACE
end
-- Settlements need more commands only if an id may have a key, and deliveries of keys are counted or a key has a turn.
local any_key = any_brace and redis.call('HLEN', running) + redis.call('ZCARD', turns) > 0
if any_brace then redis.call('ZCARD', groups) end
local lease_records = redis.call('HMGET', leases, unpack(ids))
local any_attempts = redis.call('HLEN', attempts) > 0
local attempts_records = any_attempts and redis.call('HMGET', attempts, unpack(ids)) or {}

local reply, settled, has_ended, acked, index_put = {}, {}, {}, {}, {}
-- Set only if needed. A delivered task needs none of these.
local died, dead_put, attempt_put, task_put, unattempt = nil, nil, nil, nil, nil
local micros, now, head, soonest = nil, nil, nil, nil
local told, events = {}, history_kept ~= ''
  and { ACK = 'delivered', AGAIN = 'again', RETRY = 'retried', DEAD = 'dead', QUARANTINE = 'dead', DISCARD = 'dead' }

for i = 1, count do
  local at = FIRST + (i - 1) * STEP
  local id, ending, record = ids[i], ARGV[at + 2], lease_records[i]
  -- For ACK, the prefix of the lease record is enough. All other endings need the whole record.
  local stem, token, deadline, due = '1:' .. ARGV[at + 1] .. ':', nil, nil, nil
  local is_mine, next_due = record and string.sub(record, 1, #stem) == stem, nil
  local verb, due_text, flags, reason, trace = 'ACK', nil, nil, nil, nil
  if ending ~= 'ACK' then
    if not now then
      micros, now = read_clock(clock_offset)
      head = earliest(index)
      died, dead_put, attempt_put, task_put, unattempt = {}, {}, {}, {}, {}
    end
    verb, due_text, flags, reason, trace = string.match(ending, '^(%u+) (%+?%d+) (%l*) ([^\31]*)(.*)$')
    if is_mine then
      token, deadline, due = parse_lease(record)
      is_mine = token
    end
  end
  if not is_mine then
    reply[i] = 0
    local leased_under, leased_until, leased_due, waits = parse_lease(record)
    if waits and leased_under == ARGV[at + 1] then
      settled[#settled + 1], has_ended[i] = id, true
      next_due = leased_due
      if flags and string.find(flags, 'u', 1, true) then
        local first_due, failures, expired, uncertain, last_reason, trail = parse_attempts(attempts_records[i])
        append(attempt_put, id, attempts_record(leased_due, failures or 0, expired or 0, true, MAY_RUN .. (trail or '')))
      end
    end
  else
    reply[i] = 1
    settled[#settled + 1], has_ended[i] = id, true
    local event = events and events[verb]
    local is_told = event and (verb ~= 'RETRY' or string.find(flags, 'c', 1, true))
    if is_told then told[#told + 1] = { id, event, reason or '' } end
    if verb == 'RELEASE' then
      next_due = due
    elseif verb == 'ACK' or verb == 'DISCARD' then
      acked[#acked + 1] = id
    elseif verb == 'AGAIN' then
      next_due = math.min(due_at(micros, due_text), MAX_DUE)
      local envelope = redis.call('HGET', tasks, id)
      if envelope then append(task_put, id, next_envelope(envelope)) end
      unattempt[#unattempt + 1] = id
    else
      local first_due, failures, expired, uncertain, last_reason, trail = parse_attempts(attempts_records[i])
      failures = failures or 0
      if string.find(flags, 'c', 1, true) then failures, trail = failures + 1, longer_trail(trail, now, reason) end
      if flags == '' and last_reason == MAY_RUN then reason = MAY_RUN end
      if trace ~= '' then trail = traceless(trail) .. trace end
      uncertain = uncertain or string.find(flags, 'u', 1, true) ~= nil
      append(attempt_put, id, attempts_record(due, failures, expired or 0, uncertain, reason .. (trail or '')))
      if verb == 'DEAD' or verb == 'QUARANTINE' then
        died[#died + 1] = id
        append(dead_put, text(verb == 'DEAD' and now or now + QUARANTINED), id)
      else
        next_due = math.min(due_at(micros, due_text), MAX_DUE)
      end
    end
  end
  if next_due then
    head = head or earliest(index)
    append(index_put, text(next_due), id)
    if not soonest or next_due < soonest then soonest = next_due end
  end
end

if #settled > 0 then
  if now or any_brace or #index_put > 0 then allow_writes_when_full(leases) end
  send('ZADD', index, index_put)
  if now then
    send('HSET', attempts, attempt_put)
    send('HSET', tasks, task_put)
    send('HDEL', attempts, unattempt)
    send('ZADD', dead, dead_put)
    send('ZREM', index, died)
    regroup(groups, died, LIVE, DEAD)
  end
  delete_tasks(acked, index, groups, LIVE, tasks, any_attempts and attempts)
  redis.call('HDEL', leases, unpack(settled))
  if soonest and (not head or soonest < head) then wake(wake_channel, shard) end
  local note = chronicle(history, history_kept)
  for i = 1, #told do note(unpack(told[i])) end
end
if any_key and end_deliveries(turns, running, ids, lease_records, has_ended, clock_offset) then
  wake(wake_channel, shard)
end
return reply
