-- acquire: acquires due tasks. The loader appends this file to pop_due and to pop_due_limited.
-- In pop_due_limited, `limits` is a table of functions that apply the limits of keys, and the clock has been read. In
-- pop_due, they are nil.

local CHUNK, MOST = limits and 250 or 64, 500
local OVERDUE, BURST = 1000, 100000
local SMALL_LETTERS, EXPIRES_AFTER = 97, '\16dq-expires-after'
-- Redis stores a small hash of short values as a list and searches the whole list for each field. A longer value makes
-- Redis convert the list to a hash table.
local MANY, WIDE = 16, string.rep(' ', 65)

-- Handle the usual cases with as few commands as possible. An empty shard does not even need the clock.
local head = earliest(index)
if not head then
  if limits then limits.forget_waiting() end
  return { '0', '', '', '0', {}, {}, {}, '', '0', '0' }
end
if not now then micros, now = read_clock(clock_offset) end
-- Tasks with this score or a higher one are not due yet.
local horizon = now + 1
local taken, died, newer, batch, until_text = {}, {}, {}, '', text(now + lease)
local limited, late = limits and limits.any and '1' or '', 0
local function answer(next_at)
  return { text(micros), next_at, batch, until_text, taken, died, newer, limited, text(late),
    text(limits and limits.held_back() or 0) }
end
local marks = limits and 1 or redis.call('EXISTS', paused, turns, keylimits)
if marks > 0 and not limits then
  limited = redis.call('EXISTS', turns, keylimits) > 0 and '1' or ''
  if limited ~= '' then return answer(text(now)) end
end
-- If a key's turn has come, continue even if the first task of the index is not due.
local turn = limits and limits.next_turn() or math.huge
local first = math.min(head < ASIDE and head or math.huge, turn)
late = math.max(0, math.min(now - math.floor(math.min(head < ASIDE and head or now, turn)), MAX_DUE))
if head >= horizon and turn >= now + 1 then return answer(first < math.huge and moment(first) or '') end
local pause_end = marks > 0 and paused_until(redis.call('GET', paused), now)
if pause_end then return answer(pause_end < math.huge and text(pause_end) or '') end
if not_after ~= '' and now - clock_offset >= tonumber(not_after) then return answer(moment(now)) end

local overdue_before, may_catch_up, free_from = now - OVERDUE, math.huge, nil
if catch_up_rate > 0 and (head < overdue_before or turn < now + 1) then
  local stored = tonumber(string.match(redis.call('GET', catchup) or '', '^%d+$') or 0)
  if stored > micros + 2 * MOST * 1000000 / catch_up_rate then stored = 0 end
  free_from = math.max(stored, micros - BURST)
  may_catch_up = math.max(0, math.floor((micros - free_from) * catch_up_rate / 1000000 + 1))
end

-- Read before writing: if a key has the wrong type, the script fails before it has changed anything.
local lease_count = redis.call('HLEN', leases)
local any_attempts = redis.call('HLEN', attempts) > 0
local any_hold = redis.call('HLEN', holds) > 0
redis.call('ZCARD', dead)
local last_token = parse_token(redis.call('GET', token))
if not last_token then return no_count() end

local taken_count, looked_at, suspects, bytes, caught_up = 0, 0, 0, 0, 0
local more, paced, turns_paced, look_again = false, false, false, math.huge
local due_texts, lease_drop, attempt_put, unhold = {}, {}, {}, {}
local buried, dead_put, payload_put, deleted, lost_by = {}, {}, {}, {}, {}

-- Returns whether to skip a task: it is migrating to another shard, a newer version wrote it, or it is a suspect and
-- the batch has enough suspects.
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
  return records.is_suspect and suspects >= max_suspects
end

-- Returns whether a task has been overdue for too long. The task's own limit overrides the limit of its queue.
local function is_late(envelope, outcome, due)
  local at = outcome >= SMALL_LETTERS and string.find(envelope, EXPIRES_AFTER, ENVELOPE_MIN + 1, true)
  local value_at = at and at + #EXPIRES_AFTER
  local own = at and string.sub(envelope, value_at + 1, value_at + (string.byte(envelope, value_at) or 0))
  return due < now - (own and string.find(own, '^%d+$') and tonumber(own) or expires_after)
end

-- Returns the reason why a task cannot be delivered, or nil if it can.
local function why_dead(envelope, version, expired, late)
  if not envelope then return 'payload missing' end
  if version ~= VERSION or #envelope < ENVELOPE_MIN then return 'envelope unreadable' end
  if expired > max_expired then return 'lease expired' end
  return late and 'expired' or nil
end

-- Makes a task dead, or deletes it if the queue does not keep such dead tasks.
local function expire(id, envelope, reason, due, records)
  append(died, id, reason)
  if (reason == 'expired' and expired_kept == '0') or (reason == 'lease expired' and dead_kept == '0') then
    deleted[#deleted + 1] = id
    return
  end
  local failures, expired, uncertain, trail = 0, 0, false, ''
  if records then
    failures, expired, uncertain, trail = records.failures, records.expired, records.uncertain, records.trail
  end
  if not envelope then append(payload_put, id, '') end
  local at = (reason == 'expired' or reason == 'lease expired') and now or now + QUARANTINED
  append(dead_put, text(at), id)
  buried[#buried + 1] = id
  append(attempt_put, id, attempts_record(due, failures, expired, uncertain or reason == 'lease expired', reason .. trail))
end

expires_after = expires_after or math.huge
local too_late_before = now - expires_after
-- Acquires a task, makes it dead, or skips it. Returns true unless it skipped the task. Most tasks have no records and
-- need no further reads. If the task was held back, the caller passes its key.
local function consider(id, envelope, score_text, lease_text, attempts_text, key)
  local score, due_text = tonumber(score_text), score_text
  local version, outcome = string.byte(envelope or '', 1, 2)
  local due, records = score, nil
  if version ~= VERSION or score < 1 or score % 1 ~= 0 or lease_text or attempts_text or any_hold then
    local under, ends_at, leased_due, waits, held_by = parse_lease(lease_text)
    local first_due, failures, expired, uncertain, last_reason, trail = parse_attempts(attempts_text)
    due = leased_due or first_due or math.floor(math.max(0, score))
    due_text = text(due)
    records = {
      lease = lease_text, waits = waits, ends_at = ends_at, held_by = under and held_by, attempts = attempts_text,
      is_suspect = (lease_text and not waits) or (expired or 0) > 0,
      failures = failures or 0, expired = expired or 0, uncertain = uncertain or false, trail = trail or ''
    }
    if skip(id, score, version, records) then return false end
  end
  local late = outcome and (due < too_late_before or outcome >= SMALL_LETTERS) and is_late(envelope, outcome, due)
  local is_overdue = score < overdue_before and not late
  paced = is_overdue and caught_up >= may_catch_up
  if paced then return false end
  if lease_text then
    lease_drop[#lease_drop + 1] = id
    records.uncertain = true
    -- If the task has waited for an earlier delivery of its id, the expired lease of that delivery does not count.
    if not records.waits then
      records.expired, lost_by[id] = records.expired + 1, records.held_by
      records.trail = longer_trail(records.trail, records.ends_at or now, 'lease expired')
    end
  end
  local reason = id == '' and 'id unusable' or why_dead(envelope, version, records and records.expired or 0, late)
  local stays = not reason and limits and not limits.admits(id, score, key)
  if stays and key then return false end
  if any_hold then unhold[#unhold + 1] = id end
  if reason then
    expire(id, envelope, reason, due, records)
    return true
  end
  if lease_text then
    local lost = records.waits and MAY_RUN or 'lease expired'
    append(attempt_put, id, attempts_record(due, records.failures, records.expired, true, lost .. records.trail))
  end
  if stays then return false end
  if is_overdue then caught_up = caught_up + 1 end
  local at = 3 * taken_count
  taken_count, bytes = taken_count + 1, bytes + #envelope
  due_texts[taken_count] = due_text
  taken[at + 1], taken[at + 2], taken[at + 3] = id, envelope, due_text
  if records then
    if records.failures + records.expired > 0 then
      taken[at + 3] = due_text .. ':' .. text(records.failures) .. ':' .. text(records.expired)
    end
    if records.is_suspect then suspects = suspects + 1 end
  end
  more = bytes > max_bytes
  return true
end

-- First serve the keys whose turn has come, then the due tasks of the index, in order of due time. If there are tasks
-- of both kinds, the keys get half of the batch, of its bytes and of the overdue tasks, so that neither kind delays the
-- other.
if limits then
  local parts, allowed = head < horizon and 2 or 1, may_catch_up
  local for_turns = math.floor((limit + micros % parts) / parts)
  may_catch_up = math.floor((allowed + micros % parts) / parts)
  limits.take_turns(consider, horizon, any_attempts, function()
    return (more or paced or bytes * parts > max_bytes or #died * parts >= 2 * MOST) and 0 or for_turns - taken_count
  end)
  may_catch_up, turns_paced, paced = allowed, paced, false
end
while not more and not paced do
  if taken_count >= limit or looked_at >= 2 * limit + 1000 or #died >= 2 * MOST then
    more = true
    break
  end
  local want = math.min(CHUNK, math.max(limit - taken_count, looked_at - taken_count))
  local members = redis.call('ZRANGEBYSCORE', index, '-inf', '(' .. text(horizon), 'WITHSCORES', 'LIMIT', looked_at, want)
  if #members == 0 then break end
  local ids, scores = {}, {}
  for i = 1, #members, 2 do ids[#ids + 1], scores[#scores + 1] = members[i], members[i + 1] end
  looked_at = looked_at + #ids
  local is_last = #ids < want
  if limits then ids, scores = limits.sift(ids, scores, lease_count, any_hold) end
  if #ids > 0 then
    local envelopes = redis.call('HMGET', tasks, unpack(ids))
    local lease_texts = lease_count > 0 and redis.call('HMGET', leases, unpack(ids)) or {}
    local attempts_texts = any_attempts and redis.call('HMGET', attempts, unpack(ids)) or {}
    for i = 1, #ids do
      more = more or taken_count >= limit
      if more then break end
      consider(ids[i], envelopes[i], scores[i], lease_texts[i], attempts_texts[i])
      if paced then break end
    end
  end
  if is_last then break end
end

if #died > 0 then redis.call('ZCARD', groups) end
local set_aside = limits and limits.set_aside() or 0
if taken_count > 0 or #died > 0 or set_aside > 0 then
  allow_writes_when_full(leases)
  send('HSET', attempts, attempt_put)
  send('HDEL', leases, lease_drop)
  send('HDEL', holds, unhold)
  -- Remove dead tasks from the index. Give a dead task without a payload an empty one.
  send('HSET', tasks, payload_put)
  send('ZADD', dead, dead_put)
  send('ZREM', index, buried)
  regroup(groups, buried, LIVE, DEAD)
  delete_tasks(deleted, index, groups, LIVE, tasks, attempts)
end

if limits then limits.write() end

-- Lease the acquired tasks to the holder until the deadline.
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
  local note, is_dead = chronicle(history, history_kept), {}
  for i = 1, #died, 2 do is_dead[died[i]] = true end
  for i = 1, #lease_drop do
    local id = lease_drop[i]
    if lost_by[id] and not is_dead[id] then note(id, 'retried', 'lease expired', string.match(lost_by[id], '^@?([^/]*)')) end
  end
  for i = 1, #died, 2 do
    local held_by = lost_by[died[i]]
    note(died[i], 'dead', died[i + 1], held_by and string.match(held_by, '^@?([^/]*)'))
  end
end

-- If the rate of overdue tasks is limited or a newer version wrote the first task, the caller is not late.
if paced or turns_paced or #newer > 0 then late = 0 end
-- If the rate of overdue tasks is limited, the next call waits for half a burst. Otherwise each call would acquire a
-- single task.
local goes_on = (paced or turns_paced) and math.max(now, math.floor((free_from + BURST / 2) / 1000)) or math.huge
if paced then return answer(text(goes_on)) end
-- Do not request another call at once if this one skipped every task: the next one would skip them again.
if more and (taken_count > 0 or #died > 0 or set_aside > 0) then return answer(text(now)) end
local following = redis.call('ZRANGEBYSCORE', index, text(horizon), '(' .. text(ASIDE), 'WITHSCORES', 'LIMIT', '0', '1')
local next_at = math.min(following[2] and tonumber(following[2]) or math.huge, look_again, goes_on)
if limits and not turns_paced then next_at = math.min(next_at, limits.next_turn()) end
return answer(next_at < math.huge and moment(next_at) or '')
