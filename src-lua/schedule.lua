-- schedule: stores tasks, each new or in conflict with one of its id, as its policy says.
-- KEYS[1] index     ZSET  id -> next moment of attention
-- KEYS[2] tasks     HASH  id -> envelope
-- KEYS[3] leases    HASH  id -> lease record
-- KEYS[4] attempts  HASH  id -> attempts record
-- KEYS[5] dead      ZSET  id -> time of death
-- KEYS[6] holds      HASH    id -> hold, while tasks migrate to another shard
-- KEYS[7] sharding   STRING  newest sharding that a caller went by
-- KEYS[8] token      STRING  fencing token given out last
-- KEYS[9] groups  ZSET  ids of the tasks that have a group, D before those of dead ones
-- ARGV[1] clock_offset  ms, 0 but in tests
-- ARGV[2] wake_channel  name, '' for none
-- ARGV[3] shard         number, the wake message
-- ARGV[4] sharding_text the caller's sharding, '' for none
-- ARGV[5] which         'any', or 'stored' to leave alone what is not stored here, or 'together' for all or none: if
--                       one is kept or migrates, nothing is stored
-- ARGV[6] least_token   what earlier homes of these ids answered; tokens given out here are higher from now on. '0' for
--                       none
-- ARGV[7...]            four for each task, at most 500 tasks with ids that differ: id; due time; policy REPLACE, KEEP,
--                       KEEP_EARLIER, KEEP_LATER, DEBOUNCE or THROTTLE; envelope, with C as its outcome, or c where
--                       it says how late the task may be delivered. Of a task for DEBOUNCE the first header beside that
--                       is dq-debounce: a plus sign and 14 digits, the ms for which calls put it off at most. The last
--                       moment takes their place, epoch ms, 15 digits. Where it has passed already the task is due now
--                       at the latest
-- Returns for each task two: outcome C (created), R (replaced), F (replaced, but a delivery of the old one had begun
--         and its end is not known), D (replaced a dead task) or K (kept), and the due time in ms of the task now
--         stored. A task that has this envelope's request id already is answered as the first time, and nothing is
--         changed. Or M (is migrating to another shard) and 0, or N (not stored here and not asked to be) and the token
--         given out last, which is no lower than that of any delivery of this id here; nothing was changed. Or X (not
--         stored, as another one was not) and 0. The error SHARDING with the newer sharding if the caller's is older
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

-- Most tasks are new, and for these nothing else is read: a call of one task is to take few commands.
local stored = redis.call('HMGET', tasks, unpack(ids))
local last_token = nil
if which == 'stored' or least_token ~= '0' then
  last_token = parse_token(redis.call('GET', token))
  if not last_token then return no_count() end
end
local reply, put, score = {}, {}, {}
-- A new task needs none of these, and most others few.
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
    -- The last moment is that of the first call since a delivery began, and stands in the envelope.
    if not now then micros, now = read_clock(clock_offset) end
    local last = math.min(after(micros, tonumber(string.sub(envelope, wait_to + 2, wait_to + 15))), MAX_DUE)
    local known_from, known_to = string.find(stored[i] or '', DEBOUNCE, ENVELOPE_MIN + 1, true)
    if known_to and not redis.call('ZSCORE', dead, id) then
      local lease = redis.call('HGET', leases, id)
      local under, ends_at, leased_due, waits = parse_lease(lease)
      local first_due, failures, expired, uncertain, reason = parse_attempts(redis.call('HGET', attempts, id))
      -- Of this task, not of the one before it.
      local begun = (lease and not waits) or (failures or 0) + (expired or 0) > 0 or (uncertain and reason ~= REPLACED)
      local digits = string.match(string.sub(stored[i], known_to + 1, known_to + 15), '^%d+$')
      local known = tonumber(digits or last)
      -- One that is due later than that is so by another call, or in another round.
      local was_due = leased_due or first_due or math.floor(tonumber(redis.call('ZSCORE', index, id) or now))
      local is_over = known < now and was_due > now
      if not begun and not is_over then last = math.min(last, known) end
    end
    local digits = text(last)
    digits = string.rep('0', 15 - #digits) .. digits
    envelope = string.sub(envelope, 1, wait_to) .. digits .. string.sub(envelope, wait_to + 16)
    -- What is said now is as old as this call: where the last moment has passed it is due now, and not too late.
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
    local due, stored_due = tonumber(answer), leased_due or first_due or math.floor(tonumber(score_now or died or now))
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
      -- While the lease is there it says that a delivery is under way.
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
  -- The index first: its type may not have been looked at yet.
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
