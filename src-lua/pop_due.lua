-- pop_due: acquires due tasks under a lease. A task with an expired lease is due again like any other.
-- KEYS[1] index     ZSET    id -> next moment of attention
-- KEYS[2] tasks     HASH    id -> envelope
-- KEYS[3] leases    HASH    id -> lease record
-- KEYS[4] attempts  HASH    id -> attempts record
-- KEYS[5] dead      ZSET    id -> time of death, in quarantine later by QUARANTINED
-- KEYS[6] token     STRING  last issued fencing token
-- KEYS[7] paused    STRING  exists while the queue is paused: nothing is acquired
-- KEYS[8] catchup   STRING  when the next overdue task may be acquired, epoch us; exists only while overdue tasks are paced
-- KEYS[9] holds     HASH    id -> hold, while tasks migrate to another shard: they are skipped
-- KEYS[10] history   STREAM  history of tasks; not written if the queue keeps none
-- KEYS[11] groups     ZSET    ids of tasks with a group; those of dead tasks have the prefix D
-- ARGV[1] clock_offset  ms, 0 except in tests
-- ARGV[2] limit         maximum number of tasks, 1 to 500
-- ARGV[3] lease         ms
-- ARGV[4] max_expired   maximum number of expired leases of one task; one more makes it dead
-- ARGV[5] max_bytes     stop after the task with which the envelopes exceed this
-- ARGV[6] max_suspects  maximum number of tasks with an earlier expired lease; further ones are skipped
-- ARGV[7] look_ahead    ms; also acquires tasks that are due within this time, except retries and tasks under a lease
-- ARGV[8] catch_up_rate overdue tasks per second for all callers together; 0: unlimited. Uses the generic cell rate
--                       algorithm (ITU-T I.371), with a burst of a tenth of a second
-- ARGV[9] not_after     epoch ms by the server's own clock; later nobody waits for the answer, and nothing is acquired.
--                       '' for no limit, and if time stands still (clock_offset)
-- ARGV[10] holder       unique name of the acquiring store, for the lease records
-- ARGV[11] dead_kept    '1' to keep a task with too many expired leases as dead, '0' to delete it
-- ARGV[12] expires_after  ms; a task that has been due for longer is expired, unless its envelope sets another limit.
--                         '' for never
-- ARGV[13] expired_kept '1' to keep an expired task as dead, '0' to delete it
-- ARGV[14] history_kept  number of history entries to keep, a space and the name of this process; '' for no history
-- Returns [1] now, microseconds, or 0 if the shard is empty; [2] when to call again, epoch ms: now if there may be more
--         due tasks, '' if no task is left;
--         [3] fencing token of the batch, '' if it is empty; [4] deadline of the leases, epoch ms;
--         [5] the tasks, lowest score first, three for each: id, envelope, due ms, followed by :failures:expired leases
--         if there were any;
--         [6] tasks that are now dead or deleted, two for each: id, reason ('expired' for an expired task);
--         [7] ids skipped because a newer version wrote them
-- Cost: O(limit log N); reads at most 2 x limit + 1,000 members
local index, tasks, leases, attempts, dead, token, paused, catchup, holds, history, groups =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8], KEYS[9], KEYS[10], KEYS[11]
local clock_offset, limit, lease, max_expired, max_bytes, max_suspects, look_ahead, catch_up_rate, not_after,
  holder, dead_kept, expires_after, expired_kept, history_kept =
  ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6]),
  tonumber(ARGV[7]), tonumber(ARGV[8]), ARGV[9],
  ARGV[10], ARGV[11], tonumber(ARGV[12]), ARGV[13], ARGV[14]

local CHUNK, MOST = 64, 500
local OVERDUE, BURST = 1000, 100000
local LEASE_LOST = 'an earlier delivery lost its lease'
local SMALL_LETTERS, EXPIRES_AFTER = 97, '\16dq-expires-after'
-- Redis stores a small hash of short values as a list and searches all of it for each field, until it has one longer
-- value.
local MANY, WIDE = 16, string.rep(' ', 65)

-- The usual replies, with as few commands as possible; an empty shard does not need the clock.
local head = earliest(index)
if not head then return { '0', '', '', '0', {}, {}, {} } end
local micros, now = read_clock(clock_offset)
-- Tasks with this score or a higher one are not due yet.
local horizon = now + look_ahead + 1
local taken, died, newer, batch, until_text = {}, {}, {}, '', text(now + lease)
local function answer(next_at)
  return { text(micros), next_at, batch, until_text, taken, died, newer }
end
if head >= horizon then return answer(moment(head - look_ahead)) end
if redis.call('EXISTS', paused) == 1 then return answer('') end
if not_after ~= '' and now - clock_offset >= tonumber(not_after) then return answer(moment(now)) end

local overdue_before, may_catch_up, free_from = now - OVERDUE, math.huge, nil
if catch_up_rate > 0 and head < overdue_before then
  local stored = tonumber(string.match(redis.call('GET', catchup) or '', '^%d+$') or 0)
  if stored > micros + 2 * MOST * 1000000 / catch_up_rate then stored = 0 end
  free_from = math.max(stored, micros - BURST)
  may_catch_up = math.max(0, math.floor((micros - free_from) * catch_up_rate / 1000000 + 1))
end

-- Reads come first, because they fail for a key of the wrong type before anything is written.
local lease_count = redis.call('HLEN', leases)
local any_attempts = redis.call('HLEN', attempts) > 0
local any_hold = redis.call('HLEN', holds) > 0
redis.call('ZCARD', dead)
local last_token = parse_token(redis.call('GET', token))
if not last_token then return no_count() end

local taken_count, looked_at, suspects, bytes, caught_up = 0, 0, 0, 0, 0
local more, paced, look_again = false, false, math.huge
local due_texts, lease_drop, attempt_put, unhold = {}, {}, {}, {}
local dead_put, payload_put, deleted, lost_by = {}, {}, {}, {}

-- skip: returns whether to leave a task alone: it is migrating to another shard, a newer version wrote it, its lease or
-- back-off has not expired, or the batch has the maximum number of suspects.
local function skip(id, score, version, records)
  local hold_end = any_hold and held_until(holds, id, now)
  if hold_end then
    look_again = math.min(look_again, hold_end)
    return true
  end
  if (version and version > VERSION) or is_newer(records.lease) or is_newer(records.attempts) then
    if #newer < 20 then newer[#newer + 1] = id end
    return true
  end
  if records.has_time and score >= now + 1 then
    look_again = math.min(look_again, score)
    return true
  end
  return records.is_suspect and suspects >= max_suspects
end

-- Returns whether a task has been due for longer than its own limit or its queue's allows.
local function is_late(envelope, outcome, due)
  local at = outcome >= SMALL_LETTERS and string.find(envelope, EXPIRES_AFTER, ENVELOPE_MIN + 1, true)
  local value_at = at and at + #EXPIRES_AFTER
  local own = at and string.sub(envelope, value_at + 1, value_at + (string.byte(envelope, value_at) or 0))
  return due < now - (own and string.find(own, '^%d+$') and tonumber(own) or expires_after)
end

-- Returns why a task cannot be delivered; nil if it can.
local function why_dead(id, envelope, version, expired, late)
  if not is_id(id) then return 'id unusable' end
  if not envelope then return 'payload missing' end
  if version ~= VERSION or #envelope < ENVELOPE_MIN then return 'envelope unreadable' end
  if expired > max_expired then return 'lease expired' end
  return late and 'expired' or nil
end

-- expire: makes a task dead, or deletes it if the queue does not keep such tasks.
local function expire(id, envelope, reason, due, records)
  died[#died + 1], died[#died + 2] = id, reason
  if (reason == 'expired' and expired_kept == '0') or (reason == 'lease expired' and dead_kept == '0') then
    deleted[#deleted + 1] = id
    return
  end
  local failures, expired, uncertain, trail = 0, 0, false, ''
  if records then
    failures, expired, uncertain, trail = records.failures, records.expired, records.uncertain, records.trail
  end
  if not envelope then payload_put[#payload_put + 1], payload_put[#payload_put + 2] = id, '' end
  local at = (reason == 'expired' or reason == 'lease expired') and now or now + QUARANTINED
  dead_put[#dead_put + 1], dead_put[#dead_put + 2] = text(at), id
  attempt_put[#attempt_put + 1], attempt_put[#attempt_put + 2] = id,
    attempts_record(due, failures, expired, uncertain or reason == 'lease expired', reason .. trail)
end

-- select: goes through the due tasks. Most have no records and need no further reads.
expires_after = expires_after or math.huge
local too_late_before, before_horizon = now - expires_after, '(' .. text(horizon)
while not more do
  if taken_count >= limit or looked_at >= 2 * limit + 1000 or #died >= 2 * MOST then
    more = true
    break
  end
  local want = math.min(CHUNK, math.max(limit - taken_count, looked_at - taken_count))
  local members = redis.call('ZRANGEBYSCORE', index, '-inf', before_horizon, 'WITHSCORES', 'LIMIT', looked_at, want)
  if #members == 0 then break end
  local ids = {}
  for i = 1, #members, 2 do ids[#ids + 1] = members[i] end
  local envelopes = redis.call('HMGET', tasks, unpack(ids))
  local lease_texts = lease_count > 0 and redis.call('HMGET', leases, unpack(ids)) or {}
  local attempts_texts = any_attempts and redis.call('HMGET', attempts, unpack(ids)) or {}
  for i = 1, #ids do
    if taken_count >= limit then
      more = true
      break
    end
    looked_at = looked_at + 1
    local id, envelope, score = ids[i], envelopes[i], tonumber(members[2 * i])
    local lease_text, attempts_text = lease_texts[i], attempts_texts[i]
    local version, outcome = string.byte(envelope or '', 1, 2)
    local due, due_text, records = score, members[2 * i], nil
    if version ~= VERSION or score < 1 or score % 1 ~= 0 or lease_text or attempts_text or any_hold then
      local under, ends_at, leased_due, waits, held_by = parse_lease(lease_text)
      local first_due, failures, expired, uncertain, last_reason, trail = parse_attempts(attempts_text)
      due = leased_due or first_due or math.floor(math.max(0, score))
      due_text = text(due)
      records = {
        lease = lease_text, waits = waits, ends_at = ends_at, held_by = under and held_by, attempts = attempts_text,
        has_time = lease_text or first_due, is_suspect = (lease_text and not waits) or (expired or 0) > 0,
        failures = failures or 0, expired = expired or 0, uncertain = uncertain or false, trail = trail or ''
      }
    end
    if not records or not skip(id, score, version, records) then
      local late = outcome and (due < too_late_before or outcome >= SMALL_LETTERS) and is_late(envelope, outcome, due)
      local is_overdue = score < overdue_before and not late
      paced = is_overdue and caught_up >= may_catch_up
      if paced then break end
      if is_overdue then caught_up = caught_up + 1 end
      if any_hold then unhold[#unhold + 1] = id end
      if lease_text then
        lease_drop[#lease_drop + 1] = id
        records.uncertain = true
        -- A task that waited for a delivery of its id has not been delivered, so no lease of its own expired.
        if not records.waits then
          records.expired, lost_by[id] = records.expired + 1, records.held_by
          records.trail = longer_trail(records.trail, records.ends_at or now, 'lease expired')
        end
      end
      local reason = why_dead(id, envelope, version, records and records.expired or 0, late)
      if reason then
        expire(id, envelope, reason, due, records)
      else
        local at = 3 * taken_count
        taken_count, bytes = taken_count + 1, bytes + #envelope
        due_texts[taken_count] = due_text
        taken[at + 1], taken[at + 2], taken[at + 3] = id, envelope, due_text
        if records then
          if records.failures + records.expired > 0 then
            taken[at + 3] = due_text .. ':' .. text(records.failures) .. ':' .. text(records.expired)
          end
          if lease_text then
            attempt_put[#attempt_put + 1], attempt_put[#attempt_put + 2] = id, attempts_record(due, records.failures,
              records.expired, true, (records.waits and LEASE_LOST or 'lease expired') .. records.trail)
          end
          if records.is_suspect then suspects = suspects + 1 end
        end
        more = bytes > max_bytes
        if more then break end
      end
    end
  end
  if paced or #ids < want then break end
end

if #died > 0 then redis.call('ZCARD', groups) end
if taken_count > 0 or #died > 0 then
  allow_writes_when_full(leases)
  if #attempt_put > 0 then redis.call('HSET', attempts, unpack(attempt_put)) end
  if #lease_drop > 0 then redis.call('HDEL', leases, unpack(lease_drop)) end
  if #unhold > 0 then redis.call('HDEL', holds, unpack(unhold)) end
end

-- Dead tasks leave the index. A dead task without a payload gets an empty one.
if #died > 0 then
  local gone, buried = {}, {}
  for i = 1, #died, 2 do gone[#gone + 1] = died[i] end
  for i = 2, #dead_put, 2 do buried[#buried + 1] = dead_put[i] end
  if #payload_put > 0 then redis.call('HSET', tasks, unpack(payload_put)) end
  if #dead_put > 0 then redis.call('ZADD', dead, unpack(dead_put)) end
  redis.call('ZREM', index, unpack(gone))
  regroup(groups, buried, LIVE, DEAD)
  if #deleted > 0 then
    regroup(groups, deleted, LIVE)
    redis.call('HDEL', tasks, unpack(deleted))
    redis.call('HDEL', attempts, unpack(deleted))
  end
end

-- lease: the acquired tasks belong to the holder until the deadline.
if taken_count > 0 then
  local lease_put, index_put = {}, {}
  batch = text(token_after(last_token, micros))
  redis.call('SET', token, batch)
  for i = 1, taken_count do
    local id = taken[3 * i - 2]
    lease_put[2 * i - 1], lease_put[2 * i] = id, lease_record(batch, until_text, due_texts[i], '@' .. holder)
    index_put[2 * i - 1], index_put[2 * i] = until_text, id
  end
  local becomes_many = lease_count <= MANY and lease_count + taken_count > MANY
  if becomes_many then redis.call('HSET', leases, '', WIDE) end
  redis.call('HSET', leases, unpack(lease_put))
  redis.call('ZADD', index, unpack(index_put))
  if becomes_many then redis.call('HDEL', leases, '') end
  if free_from and caught_up > 0 then
    free_from = free_from + math.ceil(caught_up * 1000000 / catch_up_rate)
    redis.call('SET', catchup, text(free_from), 'PX', text(math.max(60000, math.ceil((free_from - micros) / 1000) + 1000)))
  end
end

if history_kept ~= '' then
  local note = chronicle(history, history_kept)
  for i = 1, taken_count do
    local id = taken[3 * i - 2]
    if lost_by[id] then note(id, 'retried', 'lease expired', string.match(lost_by[id], '^@?([^/]*)')) end
  end
  for i = 1, #died, 2 do
    local held_by = lost_by[died[i]]
    note(died[i], 'dead', died[i + 1], held_by and string.match(held_by, '^@?([^/]*)'))
  end
end

-- Where overdue tasks are paced, the next call waits half a burst: tasks are not fetched one by one. If every task was
-- skipped, another call now would skip the same ones.
if paced then return answer(text(math.max(now, math.floor((free_from + BURST / 2) / 1000)))) end
if more and (taken_count > 0 or #died > 0) then return answer(text(now)) end
local following = redis.call('ZRANGEBYSCORE', index, text(horizon), '+inf', 'WITHSCORES', 'LIMIT', '0', '1')
local next_at = math.min(following[2] and tonumber(following[2]) - look_ahead or math.huge, look_again)
return answer(next_at < math.huge and moment(next_at) or '')
