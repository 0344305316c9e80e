-- pop_due: acquires due tasks under a lease. A task whose lease ran out is due again like any other.
-- KEYS[1] index     ZSET    id -> next moment of attention
-- KEYS[2] tasks     HASH    id -> envelope
-- KEYS[3] leases    HASH    id -> lease record
-- KEYS[4] attempts  HASH    id -> attempts record
-- KEYS[5] dead      ZSET    id -> time of death
-- KEYS[6] token     STRING  fencing token given out last
-- KEYS[7] paused    STRING  there while the queue is paused: nothing is taken
-- KEYS[8] catchup   STRING  when the next overdue task may be taken, epoch us; there only while overdue tasks are paced
-- KEYS[9] holds     HASH    id -> hold, while tasks migrate to another shard: they are passed over
-- KEYS[10] history   STREAM  what became of tasks; nothing is written where none is kept
-- KEYS[11] groups     ZSET    ids of the tasks that have a group, D before those of dead ones
-- ARGV[1] clock_offset  ms, 0 but in tests
-- ARGV[2] limit         tasks to take at most, 1 to 500
-- ARGV[3] lease         ms
-- ARGV[4] max_expired   leases of one task that may run out; one more and it is dead
-- ARGV[5] max_bytes     stop after the task with which the envelopes exceed this
-- ARGV[6] max_suspects  tasks to take at most of which a lease ran out before; the others are passed over
-- ARGV[7] look_ahead    ms; takes also what is due within this time, but neither a lease that has yet to run out nor a
--                       retry before its time
-- ARGV[8] catch_up_rate overdue tasks to give in a second, to all callers together; 0: unlimited. By the generic cell
--                       rate algorithm (ITU-T I.371), with a burst of a tenth of a second
-- ARGV[9] not_after     epoch ms by the server's own clock; from then on nobody awaits the answer, and nothing is
--                       taken. '' for any time, and where clock_offset says that time stands still
-- ARGV[10] holder       who acquires, for the lease records; no other store instance has this name
-- ARGV[11] dead_kept    '1' to keep a task of which too many leases ran out as a dead one, '0' to delete it
-- ARGV[12] expires_after  ms; a task that has been due for longer is too late, unless its envelope says otherwise. ''
--                       for never
-- ARGV[13] expired_kept '1' to keep a task that is too late as a dead one, '0' to delete it
-- ARGV[14] history_kept  entries that the history keeps, a space and the name of this process; '' for no history
-- Returns [1] now, microseconds, or 0 where the shard is empty; [2] when to look again, epoch ms: now if there may be
--         more to take, '' if nothing is left;
--         [3] fencing token of the batch, '' if nothing was taken; [4] deadline of the leases, epoch ms;
--         [5] the tasks, lowest score first, three for each: id, envelope, due ms, with :failures:expired leases behind
--         it where there were any;
--         [6] those that are dead or deleted from now on, two for each: id, reason ('expired' for one that is too late);
--         [7] ids passed over because a newer version wrote them
-- Cost: O(limit log N); it looks at 2 x limit + 1,000 members at most
local index, tasks, leases, attempts, dead, token, paused, catchup, holds, history, groups =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8], KEYS[9], KEYS[10], KEYS[11]
local clock_offset, limit, lease, max_expired, max_bytes, max_suspects, look_ahead, catch_up_rate, not_after,
  holder, dead_kept, expires_after, expired_kept, history_kept =
  ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6]),
  tonumber(ARGV[7]), tonumber(ARGV[8]), ARGV[9],
  ARGV[10], ARGV[11], tonumber(ARGV[12]), ARGV[13], ARGV[14]

local CHUNK = 64
local OVERDUE, BURST = 1000, 100000
local MOST = 500
local REPLACED = 'an earlier delivery lost its lease'
local SMALL_LETTERS, EXPIRES_AFTER = 97, '\16dq-expires-after'
-- Redis keeps a small hash of short values as a list and looks through all of it for each field; one longer value ends
-- that.
local MANY, WIDE = 16, string.rep(' ', 65)

-- The usual answers, in as few commands as can be. Of an empty shard not even the clock is worth reading.
local head = earliest(index)
if not head then return { '0', '', '', '0', {}, {}, {} } end
local micros, now = read_clock(clock_offset)
-- What comes at this score or later is not due yet.
local deadline, horizon = now + lease, now + look_ahead + 1

local function nothing(next_at)
  return { text(micros), next_at, '', text(deadline), {}, {}, {} }
end

if head >= horizon then return nothing(moment(head - look_ahead)) end
if redis.call('EXISTS', paused) == 1 then return nothing('') end
if not_after ~= '' and now - clock_offset >= tonumber(not_after) then return nothing(moment(now)) end

local overdue_before, may_catch_up, free_from = now - OVERDUE, math.huge, nil
if catch_up_rate > 0 and head < overdue_before then
  local stored = tonumber(string.match(redis.call('GET', catchup) or '', '^%d+$') or 0)
  if stored > micros + 2 * MOST * 1000000 / catch_up_rate then stored = 0 end
  free_from = math.max(stored, micros - BURST)
  may_catch_up = math.max(0, math.floor((micros - free_from) * catch_up_rate / 1000000 + 1))
end

local MAX_LOOK = 2 * limit + 1000
local taken, due_texts, died, newer = {}, {}, {}, {}
local taken_count, suspects, looked_at, bytes, more, paced = 0, 0, 0, 0, false, false
local caught_up, not_yet = 0, nil

-- Reads first: these also refuse a key of the wrong type before anything is written.
local lease_count = redis.call('HLEN', leases)
local any_attempts = redis.call('HLEN', attempts) > 0
local any_hold = redis.call('HLEN', holds) > 0
local unhold, first_hold_end = {}, nil
redis.call('ZCARD', dead)
local last_token = parse_token(redis.call('GET', token))
if not last_token then return no_count() end

local lease_put, index_put, attempt_put, dead_put = {}, {}, {}, {}
local lease_drop, task_put, deleted, ran_out_of = nil, nil, nil, history_kept ~= '' and {}

-- Whether a task stays where it is: it is on its way to another shard, a newer version wrote it, its lease or its
-- back-off has yet to run out, or as many suspects were taken as may be.
local function stays(id, score, version, lease_text, attempts_text, waits, is_suspect)
  local hold_end = any_hold and held_until(holds, id, now)
  if hold_end then
    first_hold_end = math.min(first_hold_end or hold_end, hold_end)
    return true
  end
  if (version and version > VERSION) or is_newer(lease_text) or is_newer(attempts_text) then
    if #newer < 20 then newer[#newer + 1] = id end
    return true
  end
  if waits and score >= now + 1 then
    not_yet = not_yet or score
    return true
  end
  return is_suspect and suspects >= max_suspects
end

-- Why no attempt can be made, nil where one can.
local function why_dead(id, envelope, version, expired)
  if not is_id(id) then return 'id unusable' end
  if not envelope then return 'payload missing' end
  if version ~= VERSION or #envelope < ENVELOPE_MIN then return 'envelope unreadable' end
  if expired > max_expired then return 'lease expired' end
  return nil
end

-- How long after its due time a task may be delivered at the latest: its own time, or else that of the queue.
local function longest_wait(envelope, outcome)
  local at = outcome >= SMALL_LETTERS and string.find(envelope, EXPIRES_AFTER, ENVELOPE_MIN + 1, true)
  local value_at = at and at + #EXPIRES_AFTER
  local own = at and string.sub(envelope, value_at + 1, value_at + (string.byte(envelope, value_at) or 0))
  return own and string.find(own, '^%d+$') and tonumber(own) or expires_after
end

local function put_dead(id, envelope, due, failures, expired, uncertain, reason, trail)
  died[#died + 1] = id
  died[#died + 1] = reason
  if not envelope then
    task_put = task_put or {}
    task_put[#task_put + 1] = id
    task_put[#task_put + 1] = ''
  end
  dead_put[#dead_put + 1] = text(now)
  dead_put[#dead_put + 1] = id
  attempt_put[#attempt_put + 1] = id
  attempt_put[#attempt_put + 1] =
    attempts_record(due, failures, expired, uncertain or reason == 'lease expired', reason .. (trail or ''))
end

expires_after = expires_after or math.huge
local too_late_before = now - expires_after
local horizon_text = text(horizon)
local before_horizon = '(' .. horizon_text
while not more do
  if taken_count >= limit or looked_at >= MAX_LOOK or #died >= 2 * MOST then
    more = true
    break
  end
  local passed_over = looked_at - taken_count
  local want = math.min(CHUNK, math.max(limit - taken_count, passed_over))
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
    local due, due_text, failures, expired, uncertain, waits, in_turn = score, members[2 * i], 0, 0, false, false, false
    local trail, ended = nil, nil
    -- Most tasks have no records, and of these nothing else need be asked.
    local is_plain = version == VERSION and score >= 1 and score % 1 == 0 and not (lease_text or attempts_text or any_hold)
    if not is_plain then
      local leased_under, leased_until, leased_due, waited, held_by = parse_lease(lease_text)
      local first_due, failed, ran_out, unknown_end, last_reason, earlier = parse_attempts(attempts_text)
      due = leased_due or first_due or math.floor(math.max(0, score))
      failures, expired, in_turn, trail, ended = failed or 0, ran_out or 0, waited, earlier, leased_until
      if ran_out_of and leased_under and not waited then ran_out_of[id] = held_by end
      uncertain, waits, due_text = unknown_end or false, lease_text or first_due, text(due)
    end
    local is_suspect = (lease_text and not in_turn) or expired > 0
    if is_plain or not stays(id, score, version, lease_text, attempts_text, waits, is_suspect) then
      local late = nil
      if outcome and (due < too_late_before or outcome >= SMALL_LETTERS) then
        late = due < now - longest_wait(envelope, outcome) and 'expired' or nil
      end
      local is_overdue = score < overdue_before and not late
      paced = is_overdue and caught_up >= may_catch_up
      if paced then break end
      if is_overdue then caught_up = caught_up + 1 end
      if any_hold then unhold[#unhold + 1] = id end
      if lease_text then
        -- What waited for a delivery of what was there before had none that could have lost its lease.
        uncertain = true
        if not in_turn then expired, trail = expired + 1, longer_trail(trail, ended or now, 'lease expired') end
        lease_drop = lease_drop or {}
        lease_drop[#lease_drop + 1] = id
      end
      local reason = why_dead(id, envelope, version, expired) or late
      if (reason == 'expired' and expired_kept == '0') or (reason == 'lease expired' and dead_kept == '0') then
        died[#died + 1], died[#died + 2] = id, reason
        deleted = deleted or {}
        deleted[#deleted + 1] = id
      elseif reason then
        put_dead(id, envelope, due, failures, expired, uncertain, reason, trail)
      else
        if lease_text then
          attempt_put[#attempt_put + 1] = id
          attempt_put[#attempt_put + 1] =
            attempts_record(due, failures, expired, true, (in_turn and REPLACED or 'lease expired') .. (trail or ''))
        end
        local t = taken_count * 3
        taken_count = taken_count + 1
        due_texts[taken_count] = due_text
        taken[t + 1], taken[t + 2], taken[t + 3] = id, envelope, due_text
        if failures + expired > 0 then
          taken[t + 3] = taken[t + 3] .. ':' .. text(failures) .. ':' .. text(expired)
        end
        if is_suspect then suspects = suspects + 1 end
        bytes = bytes + #envelope
        more = bytes > max_bytes
        if more then break end
      end
    end
  end
  if paced or #ids < want then break end
end

local batch, until_text = '', text(deadline)
if taken_count > 0 then
  local next_token = token_after(last_token, micros)
  batch = text(next_token)
end
if #died > 0 then redis.call('ZCARD', groups) end
if taken_count > 0 or #died > 0 then
  allow_writes_when_full(leases)
  if taken_count > 0 then redis.call('SET', token, batch) end
  if task_put then redis.call('HSET', tasks, unpack(task_put)) end
  if #attempt_put > 0 then redis.call('HSET', attempts, unpack(attempt_put)) end
  if #died > 0 then
    local gone = {}
    for i = 1, #died, 2 do gone[#gone + 1] = died[i] end
    if #dead_put > 0 then redis.call('ZADD', dead, unpack(dead_put)) end
    redis.call('ZREM', index, unpack(gone))
    local buried = {}
    for i = 2, #dead_put, 2 do buried[#buried + 1] = dead_put[i] end
    regroup(groups, buried, LIVE, DEAD)
    if deleted then
      regroup(groups, deleted, LIVE)
      redis.call('HDEL', tasks, unpack(deleted))
      redis.call('HDEL', attempts, unpack(deleted))
    end
  end
  if lease_drop then redis.call('HDEL', leases, unpack(lease_drop)) end
  if #unhold > 0 then redis.call('HDEL', holds, unpack(unhold)) end
  if taken_count > 0 then
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
end

if ran_out_of and (taken_count > 0 or #died > 0) then
  local note = chronicle(history, history_kept)
  for i = 1, taken_count do
    local id = taken[3 * i - 2]
    if ran_out_of[id] then note(id, 'retried', 'lease expired', string.match(ran_out_of[id], '^@?([^/]*)')) end
  end
  for i = 1, #died, 2 do
    local held_by = ran_out_of[died[i]]
    note(died[i], 'dead', died[i + 1], held_by and string.match(held_by, '^@?([^/]*)'))
  end
end

-- Where all that was looked at had to be passed over, looking again at once would find the same. Where overdue tasks
-- are paced, half a burst is left to gather, so that not each is fetched alone.
local next_at = text(now)
if paced then
  next_at = text(math.max(now, math.floor((free_from + BURST / 2) / 1000)))
elseif not more or (taken_count == 0 and #died == 0) then
  local following = redis.call('ZRANGEBYSCORE', index, horizon_text, '+inf', 'WITHSCORES', 'LIMIT', '0', '1')
  local following_at = following[2] and tonumber(following[2]) - look_ahead or math.huge
  following_at = math.min(following_at, not_yet or math.huge, first_hold_end or math.huge)
  next_at = following_at < math.huge and moment(following_at) or ''
end
return { text(micros), next_at, batch, until_text, taken, died, newer }
