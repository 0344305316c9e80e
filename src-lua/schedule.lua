-- schedule: stores tasks. If the id of a task exists, the policy of the new task decides.
-- KEYS[1] index     ZSET    id -> when the task is due or its lease ends, epoch ms
-- KEYS[2] tasks     HASH    id -> envelope
-- KEYS[3] leases    HASH    id -> lease record
-- KEYS[4] attempts  HASH    id -> attempts record
-- KEYS[5] dead      ZSET    id -> time of death, epoch ms; plus QUARANTINED for a quarantined task
-- KEYS[6] holds     HASH    id -> hold, for tasks that are migrating to another shard
-- KEYS[7] sharding  STRING  the newest sharding that a caller has sent
-- KEYS[8] token     STRING  the last fencing token issued
-- KEYS[9] groups    ZSET    ids of tasks that have a group; the prefix D marks dead tasks
-- ARGV[1]    clock_offset   ms to add to the server's clock; 0 except in tests
-- ARGV[2]    wake_channel   channel for wake signals; '' for none
-- ARGV[3]    shard          number of the shard, sent as the wake signal
-- ARGV[4]    sharding_text  the caller's sharding; '' to skip the check
-- ARGV[5]    which          'any' to store each task; 'stored' to replace stored tasks only
-- ARGV[6]    least_token    last token of the earlier homes of these ids. Later tokens of this shard are higher. '0'
--                           for none
-- ARGV[7...] 4 for each task: id; due time; policy; envelope. At most 500; the ids must differ
--            policy    REPLACE, KEEP, KEEP_EARLIER, KEEP_LATER, DEBOUNCE or THROTTLE
--            envelope  The outcome byte is C, or c if the task sets its own limit on late delivery. For DEBOUNCE, the
--                      next header is dq-debounce: a plus sign and the maximum wait in ms, in 14 digits. The script
--                      replaces this value with the latest due time, epoch ms in 15 digits. If this time has passed,
--                      the task is due now at the latest
-- Returns two values for each task: outcome; due time in ms of the task that is stored now
--         C: created
--         R: replaced a task
--         F: replaced a task, but a delivery of that task has started and may still be in progress
--         D: replaced a dead task
--         K: kept the stored task
--         M: not stored, because the task is migrating to another shard; the due time is 0
--         N: not stored, because which is 'stored' and no task here has this id. The second value is the last token
--            issued. No delivery of this id here had a higher token
--         If the stored task has the same request id, the call changes nothing and returns the first outcome.
-- Errors  SHARDING: the caller's sharding is outdated; the message has the newer one
--         DUETIME: the due time is after the year 9999
-- Cost: O(n log N)

local DEBOUNCE = '\11dq-debounce\15'
local SMALL_C = 99
local micros, now = nil, nil

local ids, due_texts, at = {}, {}, FIRST
for i = 1, count do
  local due_text = ARGV[at + 1]
  local due = tonumber(due_text)
  if is_delay(due_text) then
    if not now then micros, now = read_clock(clock_offset) end
    due = after(micros, due)
    due_text = text(due)
  end
  if due > MAX_DUE then return redis.error_reply('DUETIME after the year 9999') end
  ids[i], due_texts[i], at = ARGV[at], due_text, at + STEP
end

-- Most tasks are new. They need no further reads, so a call for one task takes few commands.
local stored = redis.call('HMGET', tasks, unpack(ids))
local last_token = nil
if which == 'stored' or least_token ~= '0' then
  last_token = parse_token(redis.call('GET', token))
  if not last_token then return no_count() end
end
local reply, put, score = {}, {}, {}
-- A new task needs none of these.
local unlease, lease_put, attempt_put, unattempt, undead, unhold = {}, {}, {}, {}, {}, {}
local written, not_sooner, grouped = 0, {}, nil

at = FIRST
for i = 1, count do
  local id, policy, envelope = ids[i], ARGV[at + 2], ARGV[at + 3]
  at = at + STEP
  local outcome, answer, score_now, leased_under, leased_until, leased_by = 'C', due_texts[i], nil, nil, nil, nil
  local wait_from, wait_to = nil, nil
  if policy == 'DEBOUNCE' then wait_from, wait_to = string.find(envelope, DEBOUNCE, ENVELOPE_MIN + 1, true) end
  if wait_to then
    -- The maximum wait starts with the first call after a delivery has started. The envelope stores when the wait ends.
    if not now then micros, now = read_clock(clock_offset) end
    local last = math.min(after(micros, tonumber(string.sub(envelope, wait_to + 2, wait_to + 15))), MAX_DUE)
    local known_from, known_to = string.find(stored[i] or '', DEBOUNCE, ENVELOPE_MIN + 1, true)
    if known_to and not redis.call('ZSCORE', dead, id) then
      local lease = redis.call('HGET', leases, id)
      local under, ends_at, leased_due, waits = parse_lease(lease)
      local first_due, failures, expired, uncertain, reason = parse_attempts(redis.call('HGET', attempts, id))
      -- A delivery of a task that the stored one has replaced does not count, nor does one before a redrive.
      local begun = (lease and not waits) or (failures or 0) + (expired or 0) > 0 or (uncertain and reason ~= MAY_RUN)
      local digits = string.match(string.sub(stored[i], known_to + 1, known_to + 15), '^%d+$')
      local known = tonumber(digits or last)
      -- If the maximum wait has ended and the task is due later, another call or a new round has set its due time.
      local was_due = leased_due or first_due or math.floor(attention(redis.call('ZSCORE', index, id) or now))
      local is_over = known < now and was_due > now
      if not begun and not is_over then last = math.min(last, known) end
    end
    envelope = string.sub(envelope, 1, wait_to) .. string.format('%015.0f', last) .. string.sub(envelope, wait_to + 16)
    -- If the maximum wait has ended, the task is due now, not in the past.
    local latest = math.max(last, now)
    if tonumber(answer) > latest then answer = text(latest) end
  end
  if not stored[i] and which == 'stored' then
    outcome, answer, envelope = 'N', text(last_token), nil
  elseif stored[i] then
    if not now then micros, now = read_clock(clock_offset) end
    score_now = redis.call('ZSCORE', index, id)
    local lease = redis.call('HGET', leases, id)
    local record = redis.call('HGET', attempts, id)
    local died = redis.call('ZSCORE', dead, id)
    local hold = redis.call('HGET', holds, id)
    local under, ends_at, leased_due, waits, holder = parse_lease(lease)
    local first_due, failures, expired, uncertain = parse_attempts(record)
    local due, stored_due = tonumber(answer), leased_due or first_due or math.floor(attention(score_now or died or now))
    if hold and held_until(holds, id, now) then
      outcome, answer, envelope = 'M', '0', nil
    elseif string.byte(stored[i], 1) == VERSION
      and string.sub(stored[i], 3, ENVELOPE_MIN) == string.sub(envelope, 3, ENVELOPE_MIN)
    then
      outcome, answer, envelope = string.upper(string.sub(stored[i], 2, 2)), moment(stored_due), nil
    elseif policy == 'KEEP'
      or (policy == 'THROTTLE' and not died)
      or (policy == 'KEEP_EARLIER' and not died and due >= stored_due)
      or (policy == 'KEEP_LATER' and not died and due <= stored_due)
    then
      outcome, answer, envelope = 'K', moment(stored_due), nil
    else
      outcome = died and 'D' or (lease or uncertain) and 'F' or 'R'
      local letter = string.byte(envelope, 2) == SMALL_C and string.lower(outcome) or outcome
      envelope = string.sub(envelope, 1, 1) .. letter .. string.sub(envelope, 3)
      if under and ends_at > now then
        leased_under, leased_until, leased_by = under, ends_at, holder
      elseif lease then
        unlease[#unlease + 1] = id
      end
      -- If the lease stays, it shows that a delivery is in progress. Otherwise the attempts record must show this.
      if uncertain or (lease and not leased_under) then
        append(attempt_put, id, attempts_record(due, 0, 0, true, MAY_RUN))
      elseif record then
        unattempt[#unattempt + 1] = id
      end
      if died then undead[#undead + 1] = id end
      if hold then unhold[#unhold + 1] = id end
    end
  end
  if envelope then
    local moment_text = answer
    if score_now then
      local own = tonumber(answer)
      if leased_under then
        append(lease_put, id, lease_record(leased_under .. 'w', text(leased_until), answer, leased_by))
        own = math.max(own, leased_until)
        moment_text = text(own)
      end
      not_sooner[id] = own >= tonumber(score_now)
    end
    if outcome == 'C' and string.byte(id) == BRACE then grouped = grouped or {}; grouped[#grouped + 1] = id end
    put[written + 1], put[written + 2] = id, envelope
    score[written + 1], score[written + 2] = moment_text, id
    written = written + 2
  end
  reply[2 * i - 1], reply[2 * i] = outcome, answer
end

local stale = fence(sharding, sharding_text, nil, index)
if stale then return stale end
if written > 0 then
  if last_token then
    redis.call('ZCARD', index)
    raise_token(token, last_token, tonumber(least_token))
  end
  if grouped or #undead > 0 then redis.call('ZCARD', groups) end
  -- Write the index first, because its type may not have been checked.
  redis.call('ZADD', index, unpack(score))
  redis.call('HSET', tasks, unpack(put))
  if grouped then regroup(groups, grouped, nil, LIVE) end
  send('HSET', leases, lease_put)
  send('HSET', attempts, attempt_put)
  send('HDEL', leases, unlease)
  send('HDEL', attempts, unattempt)
  if #undead > 0 then
    redis.call('ZREM', dead, unpack(undead))
    regroup(groups, undead, DEAD, LIVE)
  end
  send('HDEL', holds, unhold)
  local first = redis.call('ZRANGE', index, '0', '0')[1]
  for i = 1, written, 2 do
    if put[i] == first and not not_sooner[first] then wake(wake_channel, shard) end
  end
end
return reply
