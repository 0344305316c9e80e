-- schedule: stores tasks. A task whose id exists is handled by its conflict policy.
-- KEYS[1] index     ZSET  id -> next moment of attention
-- KEYS[2] tasks     HASH  id -> envelope
-- KEYS[3] leases    HASH  id -> lease record
-- KEYS[4] attempts  HASH  id -> attempts record
-- KEYS[5] dead      ZSET  id -> time of death
-- KEYS[6] holds      HASH    id -> hold, while tasks migrate to another shard
-- KEYS[7] sharding   STRING  newest sharding passed by a caller
-- KEYS[8] token      STRING  last issued fencing token
-- KEYS[9] groups  ZSET  ids of tasks with a group; those of dead tasks have the prefix D
-- ARGV[1] clock_offset  ms, 0 except in tests
-- ARGV[2] wake_channel  name, '' for none
-- ARGV[3] shard         number, the wake message
-- ARGV[4] sharding_text the caller's sharding, '' for none
-- ARGV[5] which         'any', 'stored' to skip tasks that are not stored here, or 'together' for all or none: if one
--                       is kept or migrating, nothing is stored
-- ARGV[6] least_token   token returned by earlier homes of these ids; tokens issued here are higher from now on. '0'
--                       for none
-- ARGV[7...]            four for each task, at most 500 tasks with different ids: id; due time; policy REPLACE, KEEP,
--                       KEEP_EARLIER, KEEP_LATER, DEBOUNCE or THROTTLE; envelope, with C as its outcome, or c if it
--                       sets how late the task may be delivered. For DEBOUNCE the next
--                       header is dq-debounce: a plus sign and 14 digits, the maximum ms of postponement. The script
--                       replaces it by the last moment, epoch ms in 15 digits. If that has passed, the task is due now
--                       at the latest
-- Returns for each task two: outcome C (created), R (replaced), F (replaced, but a delivery of the old one had started
--         and its end is unknown), D (replaced a dead task) or K (kept), and the due time in ms of the task now stored.
--         If the task already has this request id, the first result is returned and nothing is changed. Or M (is
--         migrating to another shard) and 0, or N (not stored here and not requested) and the last issued token, which
--         is at least that of any delivery of this id here; nothing was changed. Or X (not stored, because another one
--         was not) and 0. The error SHARDING with the newer sharding if the caller's is older
-- Cost: O(n log N)
local index, tasks, leases, attempts, dead, holds, sharding, token, groups =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8], KEYS[9]
local clock_offset, wake_channel, shard, sharding_text, which, least_token =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

local DEBOUNCE = '\11dq-debounce\15'
local FIRST, STEP = 7, 4
local SMALL_C = 99
local count = (#ARGV - FIRST + 1) / STEP
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

-- Most tasks are new and need no further reads, so that a call for one task takes few commands.
local stored = redis.call('HMGET', tasks, unpack(ids))
local last_token = nil
if which == 'stored' or least_token ~= '0' then
  last_token = parse_token(redis.call('GET', token))
  if not last_token then return no_count() end
end
local reply, put, score = {}, {}, {}
-- A new task needs none of these, and most others need few.
local unlease, lease_put, attempt_put, unattempt, undead, unhold = nil, nil, nil, nil, nil, nil
local written, not_sooner, refused, grouped = 0, {}, false, nil

at = FIRST
for i = 1, count do
  local id, policy, envelope = ids[i], ARGV[at + 2], ARGV[at + 3]
  at = at + STEP
  local outcome, answer, score_now, leased_under, leased_until, leased_by = 'C', due_texts[i], nil, nil, nil, nil
  local wait_from, wait_to = nil, nil
  if policy == 'DEBOUNCE' then wait_from, wait_to = string.find(envelope, DEBOUNCE, ENVELOPE_MIN + 1, true) end
  if wait_to then
    -- The last moment counts from the first call since a delivery started, and is stored in the envelope.
    if not now then micros, now = read_clock(clock_offset) end
    local last = math.min(after(micros, tonumber(string.sub(envelope, wait_to + 2, wait_to + 15))), MAX_DUE)
    local known_from, known_to = string.find(stored[i] or '', DEBOUNCE, ENVELOPE_MIN + 1, true)
    if known_to and not redis.call('ZSCORE', dead, id) then
      local lease = redis.call('HGET', leases, id)
      local under, ends_at, leased_due, waits = parse_lease(lease)
      local first_due, failures, expired, uncertain, reason = parse_attempts(redis.call('HGET', attempts, id))
      -- The value is for this task, not for the task that it replaces.
      local begun = (lease and not waits) or (failures or 0) + (expired or 0) > 0 or (uncertain and reason ~= REPLACED)
      local digits = string.match(string.sub(stored[i], known_to + 1, known_to + 15), '^%d+$')
      local known = tonumber(digits or last)
      -- A later due time comes from another call or another round.
      local was_due = leased_due or first_due or math.floor(attention(redis.call('ZSCORE', index, id) or now))
      local is_over = known < now and was_due > now
      if not begun and not is_over then last = math.min(last, known) end
    end
    local digits = text(last)
    digits = string.rep('0', 15 - #digits) .. digits
    envelope = string.sub(envelope, 1, wait_to) .. digits .. string.sub(envelope, wait_to + 16)
    -- If the last moment has passed, the task is due now and not late.
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
        unlease = unlease or {}
        unlease[#unlease + 1] = id
      end
      -- The existing lease shows that a delivery is in progress.
      if uncertain or (lease and not leased_under) then
        attempt_put = attempt_put or {}
        attempt_put[#attempt_put + 1] = id
        attempt_put[#attempt_put + 1] = attempts_record(due, 0, 0, true, REPLACED)
      elseif record then
        unattempt = unattempt or {}
        unattempt[#unattempt + 1] = id
      end
      if died then
        undead = undead or {}
        undead[#undead + 1] = id
      end
      if hold then
        unhold = unhold or {}
        unhold[#unhold + 1] = id
      end
    end
  end
  if envelope then
    local moment_text = answer
    if score_now then
      local own = tonumber(answer)
      if leased_under then
        lease_put = lease_put or {}
        lease_put[#lease_put + 1] = id
        lease_put[#lease_put + 1] = lease_record(leased_under .. 'w', text(leased_until), answer, leased_by)
        own = math.max(own, leased_until)
        moment_text = text(own)
      end
      not_sooner[id] = own >= tonumber(score_now)
    end
    if outcome == 'C' and string.byte(id) == BRACE then grouped = grouped or {}; grouped[#grouped + 1] = id end
    put[written + 1], put[written + 2] = id, envelope
    score[written + 1], score[written + 2] = moment_text, id
    written = written + 2
  else
    refused = refused or outcome == 'K' or outcome == 'M'
  end
  reply[2 * i - 1], reply[2 * i] = outcome, answer
end

if refused and which == 'together' then
  local left_out = {}
  for i = 1, written, 2 do left_out[put[i]] = true end
  for i = 1, count do
    if left_out[ids[i]] then reply[2 * i - 1], reply[2 * i] = 'X', '0' end
  end
  written = 0
end

local stale = fence(sharding, sharding_text, nil, index)
if stale then return stale end
if written > 0 then
  if last_token then
    redis.call('ZCARD', index)
    raise_token(token, last_token, tonumber(least_token))
  end
  if grouped or undead then redis.call('ZCARD', groups) end
  -- Write the index first, because its type may not have been checked yet.
  redis.call('ZADD', index, unpack(score))
  redis.call('HSET', tasks, unpack(put))
  if grouped then regroup(groups, grouped, nil, LIVE) end
  if lease_put then redis.call('HSET', leases, unpack(lease_put)) end
  if attempt_put then redis.call('HSET', attempts, unpack(attempt_put)) end
  if unlease then redis.call('HDEL', leases, unpack(unlease)) end
  if unattempt then redis.call('HDEL', attempts, unpack(unattempt)) end
  if undead then
    redis.call('ZREM', dead, unpack(undead))
    regroup(groups, undead, DEAD, LIVE)
  end
  if unhold then redis.call('HDEL', holds, unpack(unhold)) end
  local first = redis.call('ZRANGE', index, '0', '0')[1]
  for i = 1, written, 2 do
    if put[i] == first and not not_sooner[first] then wake(wake_channel, shard) end
  end
end
return reply
