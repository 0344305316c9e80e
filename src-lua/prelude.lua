-- prelude: functions and constants for all scripts. The loader puts those that a script uses at its beginning.
--
-- Formats of the values in Redis:
-- lease record     1:<token>[w]:<deadline ms>:<due ms>[@<process>]
--                  w: the task was scheduled or rescheduled during the delivery, and waits for the lease to end
-- attempts record  1:<due ms>:<failures>:<expired leases>:<uncertain 0|1>:<last reason>[<trail>]
--                  uncertain: a delivery has started and its end is unknown, so it may still be in progress
-- trail            the last failed attempts and expired leases, newest first. Each entry is
--                  \30<end, epoch ms> <first 100 bytes of the reason>
--                  After them, if the queue keeps stack traces: \31<stack trace of the last failure>
-- hold             1:<token>:<deadline ms>. The task is migrating to another shard, at most until the deadline
-- sharding         1:<epoch>:<shards>:<configured>:<earlier, 0 for none>
-- envelope         <version byte 1><outcome byte><16 bytes of request id><the client's part>
--                  The outcome is a letter. A small letter: the task sets its own limit on late delivery

local VERSION = 1
local ENVELOPE_MIN = 18
local MAX_DUE = 253402300799999
-- A task that waits for its key's turn has its time plus this number as its index score.
local ASIDE = 4000000000000000
-- Upper bound of clocks and lease deadlines; the library never writes a larger value.
local MAX_MOMENT = 9007199254740991
-- The score of a quarantined task is its time of death plus this number, so that no limit applies to it.
local QUARANTINED = 1000000000000000
local LONGEST_HOLD = 86400000
-- Lease records have room for tokens of 15 digits. The clock reaches this token in the year 2255.
local LAST_CLOCK_TOKEN = 900000000000000
-- An opening brace, the first byte of all ids with a key or a group.
local BRACE = 123
-- Prefixes of ids in the groups. An id with a group begins with a brace, so it never begins with DEAD.
local LIVE, DEAD = '', 'D'
-- First letters of the fields of keylimits: the limits of a key, and when a closed key opens again.
local LIMITS_OF, CLOSED = 'L', 'C'
-- The reason of a task while a delivery may be in progress that began before a replacement, a redrive or a lost lease.
local MAY_RUN = 'an earlier delivery may still be in progress'

-- Appends two values to a list.
local function append(list, one, two)
  local at = #list
  list[at + 1], list[at + 2] = one, two
end

-- Calls a command with the values of a list. Does nothing if the list is empty. Splits many values into several calls.
local function send(command, key, values)
  for from = 1, #values, 1000 do
    redis.call(command, key, unpack(values, from, math.min(#values, from + 999)))
  end
end

-- Fails if one of these keys has a wrong type. A script calls this before it changes anything.
local function check_types(sets, hashes)
  for _, set in ipairs(sets) do redis.call('ZCARD', set) end
  for _, hash in ipairs(hashes) do redis.call('HLEN', hash) end
end

-- Returns the Redis server's clock in microseconds and in milliseconds. Adds an offset in milliseconds, which is 0
-- except in tests. A test can also stop the clock: it passes an equals sign and the time in epoch microseconds.
local function read_clock(offset)
  local offset_ms = tonumber(offset)
  local micros = nil
  if offset_ms then
    local time = redis.call('TIME')
    micros = tonumber(time[1]) * 1000000 + tonumber(time[2]) + offset_ms * 1000
  else
    micros = tonumber(string.sub(offset, 2))
  end
  return micros, math.floor(micros / 1000)
end

-- Formats a whole number for Redis. Lua itself writes large numbers with an exponent. '%d' is several times as fast as
-- '%.0f', but it takes a C long, which is too small for a timestamp on a 32-bit Redis.
local whole = nil
local function text(number)
  whole = whole or (string.format('%d', 4294967296) == '4294967296' and '%d' or '%.0f')
  return string.format(whole, number)
end

-- Returns the time in an index score as a number. For a task that is held back, this is the score without ASIDE.
local function attention(score)
  score = tonumber(score)
  return score >= ASIDE and score <= ASIDE + MAX_DUE and score - ASIDE or score
end

-- Formats a score as epoch ms. The library's scores are in range, but other programs may write any score.
local function moment(score)
  local at = attention(score)
  if at >= QUARANTINED and at <= QUARANTINED + MAX_DUE then at = at - QUARANTINED end
  return text(math.floor(math.max(0, math.min(at, MAX_DUE))))
end

-- Formats a score with all its digits, so that the caller can pass it to a later call.
local function score_text(score)
  return text(math.floor(math.max(0, math.min(tonumber(score), QUARANTINED + MAX_DUE))))
end

-- Returns the envelope of a task that is due again after a delivery. Derives a new request id from the old one, so that
-- consumers can distinguish the next delivery from the earlier one. Returns an unreadable envelope unchanged.
local function next_envelope(envelope)
  if string.byte(envelope, 1) ~= VERSION or #envelope < ENVELOPE_MIN then return envelope end
  local digits = string.sub(redis.sha1hex(string.sub(envelope, 3, ENVELOPE_MIN)), 1, 32)
  local request_id = string.gsub(digits, '..', function(two) return string.char(tonumber(two, 16)) end)
  return string.sub(envelope, 1, 2) .. request_id .. string.sub(envelope, ENVELOPE_MIN + 1)
end

-- Adds, moves or removes tasks in the groups of a shard. A member is LIVE or DEAD, followed by the id. `from` and
-- `to` are LIVE or DEAD; without `from` it only adds, without `to` it only removes. Skips ids without a group. An id
-- with a group starts with {group}~ or {key}:{group}~. All scores are 0, so Redis sorts the members by bytes. The
-- caller must have checked the type of the key.
local function regroup(groups, ids, from, to)
  local put, out = {}, {}
  for i = 1, #ids do
    local id = ids[i]
    if string.byte(id) == BRACE and (string.find(id, '^{[^}]+}~') or string.find(id, '^{[^}]+}:{[^}]+}~')) then
      if to then append(put, '0', to .. id) end
      if from then out[#out + 1] = from .. id end
    end
  end
  send('ZADD', groups, put)
  send('ZREM', groups, out)
end

-- Returns a string that sorts after all ids of a group, whose prefix ends with a tilde.
local function behind_group(prefix)
  return string.sub(prefix, 1, -2) .. '\127'
end

-- Returns LIVE or DEAD members of a group, at most as many as the limit. Starts at the given id, or at the first member
-- if it is ''. All ids of the group have the prefix.
local function group_members(groups, prefix, mark, from, limit)
  local first = mark .. (from ~= '' and from or prefix)
  return redis.call('ZRANGE', groups, '[' .. first, '(' .. mark .. behind_group(prefix), 'BYLEX', 'LIMIT', '0', text(limit))
end

-- Returns whether a due time is a delay. Callers send epoch ms, or a plus sign and a delay in ms.
local function is_delay(due_text)
  return string.byte(due_text) == 43
end

-- Returns the first whole millisecond after a delay. Returns the current millisecond if the delay is not positive.
local function after(micros, delay_ms)
  return delay_ms > 0 and math.ceil(micros / 1000) + delay_ms or math.floor(micros / 1000)
end

-- Converts a due time that a caller has sent to epoch ms. It may be later than MAX_DUE.
local function due_at(micros, due_text)
  local due = tonumber(due_text)
  return is_delay(due_text) and after(micros, due) or due
end

-- Returns when a pause ends, in epoch ms, or infinity if it has no end. Returns nil if there is no pause or if it has
-- ended. The record is 1:<start>[:<end, 0 for none>:<note>].
local function paused_until(record, now)
  if not record then return nil end
  local ends = tonumber(string.match(record, '^1:%d+:(%d+):') or 0)
  if ends == 0 then return math.huge end
  return ends > now and ends or nil
end

-- Formats a lease record. All arguments are strings. The holder is '@' and the name of the process, or ''.
local function lease_record(token, deadline, due, holder)
  return '1:' .. token .. ':' .. deadline .. ':' .. due .. holder
end

-- Returns the token as a string, the deadline, the due time, whether the task waits for the lease to end, and the
-- holder as stored. Returns nil if there is no record or if it is unreadable.
local function parse_lease(record)
  if not record then return nil end
  local token, waits, deadline, due, holder = string.match(record, '^1:(%d+)(w?):(%d+):(%d+)(.*)$')
  if not token or #token > 15 or (holder ~= '' and string.byte(holder) ~= 64) then return nil end
  deadline, due = tonumber(deadline), tonumber(due)
  if deadline > MAX_MOMENT or due > MAX_DUE then return nil end
  return token, deadline, due, waits == 'w', holder
end

local function attempts_record(due, failures, expired, uncertain, reason)
  return '1:' .. text(due) .. ':' .. text(failures) .. ':' .. text(expired) .. ':'
    .. (uncertain and '1' or '0') .. ':' .. reason
end

-- Returns the due time, failures, expired leases, uncertain as a boolean, the last reason, and the trail as stored.
-- Returns nil if there is no record. If the record is unreadable, uncertain is true and all other values are nil.
local function parse_attempts(record)
  if not record then return nil end
  local due, failures, expired, uncertain, reason, trail =
    string.match(record, '^1:(%d+):(%d+):(%d+):([01]):([^\30\31]*)(.*)$')
  if not due or tonumber(due) > MAX_DUE or #failures > 9 or #expired > 9 then return nil, nil, nil, true end
  return tonumber(due), tonumber(failures), tonumber(expired), uncertain == '1', reason, trail
end

-- Adds nine values that describe a task to a list: id; state S, L or D; due time in ms, or the score if unknown; score
-- in ms; failures; expired leases; last reason; envelope; holder of the lease. If due is nil, the attempts record may
-- have the due time. Returns the trail, or '' if there is none.
local function describe(found, id, state, score, due, record, envelope, holder)
  local first_due, failures, expired, uncertain, reason, trail = parse_attempts(record)
  local at = #found
  due = due or first_due
  found[at + 1], found[at + 2] = id, state
  found[at + 3], found[at + 4] = due and text(due) or moment(score), moment(score)
  found[at + 5], found[at + 6] = text(failures or 0), text(expired or 0)
  found[at + 7], found[at + 8], found[at + 9] = reason or '', envelope, holder or ''
  return trail or ''
end

-- Returns a trail without its stack trace.
local function traceless(trail)
  return string.match(trail or '', '^[^\31]*')
end

-- Adds an attempt to the front of a trail, and removes the stack trace of an earlier one. Scripts never parse the
-- entries. Java reads five of them, which always fit into 580 bytes.
local function longer_trail(trail, at, reason)
  return string.sub('\30' .. text(at) .. ' ' .. string.sub(reason, 1, 100) .. traceless(trail), 1, 580)
end

-- Returns the last fencing token issued, or 0 if there is none. Returns nil if the stored value is not a number.
local function parse_token(record)
  if not record then return 0 end
  return string.find(record, '^%d+$') and #record < 16 and tonumber(record) or nil
end

local function no_count()
  return redis.error_reply('WRONGTYPE the token counter is no number')
end

-- Returns the next fencing token: the clock in units of 10 microseconds, or the last token plus 1 if that is higher.
-- Therefore tokens still grow after Redis has lost the counter. A batch takes longer than a unit, so tokens do not
-- overtake the clock.
local function token_after(last, micros)
  return math.max(last + 1, math.min(math.floor(micros / 10), LAST_CLOCK_TOKEN))
end

-- Raises the token counter to at least the last token of another shard, whose tasks are about to move here. This must
-- be the first write of a script.
local function raise_token(token, last, least)
  if least > last then redis.call('SET', token, text(least)) end
end

-- Returns whether a newer version of this library wrote a lease or attempts record.
local function is_newer(record)
  local version = record and string.match(record, '^(%d+):')
  return version and tonumber(version) > VERSION
end

-- If Redis is out of memory, it refuses a script whose first write could add data. If the first write cannot add data,
-- Redis allows all writes of the script. Scripts that delete or move data therefore start with this harmless write, so
-- that a full Redis can still drain. Use it only on the leases, where the empty field belongs to the library. In
-- another hash, another program may use it.
local function allow_writes_when_full(leases)
  redis.call('HDEL', leases, '')
end

-- Returns the epoch of a sharding: 0 for none, and infinity if it is unreadable.
local function epoch_of(sharding_text)
  if not sharding_text then return 0 end
  return tonumber(string.match(sharding_text, '^1:(%d+):') or math.huge)
end

-- Compares the caller's sharding with the newest one that a caller has sent to this shard. Records the caller's
-- sharding if it is newer. Returns an error reply if it is older, because the task may now belong to another shard. An
-- empty string skips the check. Pass the leases if the script must be able to write when Redis is full. Pass the index
-- if the script has not read it yet: if the index has a wrong type, the call then fails before it writes.
local function fence(sharding, sharding_text, leases, index)
  if sharding_text == '' then return nil end
  local stamp = redis.call('GET', sharding)
  if stamp == sharding_text then return nil end
  local known, given = epoch_of(stamp), epoch_of(sharding_text)
  if known > given then return redis.error_reply('SHARDING ' .. stamp) end
  if known < given then
    if index then redis.call('ZCARD', index) end
    if leases then allow_writes_when_full(leases) end
    redis.call('SET', sharding, sharding_text)
  end
  return nil
end

-- Returns when the hold on a migrating task ends, or nil if the task is not held. Ignores a hold that no migration can
-- have written, so that no task waits forever.
local function held_until(holds, id, now)
  local hold = redis.call('HGET', holds, id)
  local deadline = hold and tonumber(string.match(hold, '^%d+:%d+:(%d+)$') or 0)
  return deadline and deadline > now and deadline <= now + LONGEST_HOLD and deadline or nil
end

-- Parses an operation record: 1:<last beat, epoch ms>:<dry run 0|1>:<stop 0|1>:<process>:<progress>. Returns the beat
-- as a number, dry run, stop, process and progress. Returns nil if there is no record.
local function parse_operation(record)
  local beat, dry_run, stop, holder, content = string.match(record or '', '^1:(%d+):([01]):([01]):([^:]*):(.*)$')
  return tonumber(beat or ''), dry_run, stop, holder, content
end

-- Returns a function that adds an event of a task to the history of a shard. The argument `kept` is the number of
-- entries to keep, a space and the name of this process, or '' for no history. The function never fails, because the
-- script has already written.
local function chronicle(history, kept)
  local most, process = string.match(kept, '^(%d+) (.*)$')
  return function(id, event, reason, by)
    if not most then return end
    redis.pcall('XADD', history, 'MAXLEN', '~', most, '*',
      'id', id, 'event', event, 'reason', reason, 'process', by or process)
  end
end

-- Tells sleeping pollers that the first task of this shard is now due earlier. The script has already written, and the
-- signal is only a hint, so a missing permission to publish does not fail the call.
local function wake(channel, shard)
  if channel ~= '' then redis.pcall('PUBLISH', channel, shard) end
end

-- Returns the key of an id, or nil if it has none. A key never contains a zero byte.
local function key_of(id)
  return string.byte(id) == BRACE and string.match(id, '^{([^}%z]+)}:') or nil
end

-- Returns the time that callers see, in epoch ms: the score of a task; if the task is held back, the turn of its key.
local function shown_time(score, turns, id)
  local turn = tonumber(score) >= ASIDE and redis.call('ZSCORE', turns, key_of(id) or '')
  return moment(turn and math.max(tonumber(turn), attention(score)) or score)
end

-- Returns whether a task has the time that a caller has seen; nil for any. For a task that is held back, that is its own
-- time or a turn of its key until now: turns move only forward.
local function has_time(score, seen_at, turns, id)
  return not seen_at or tonumber(moment(score)) <= seen_at and seen_at <= tonumber(shown_time(score, turns, id))
end

-- Removes an id from a list of ids that are separated by zero bytes. Returns the list.
local function without(list, id)
  local at = string.find('\0' .. list .. '\0', '\0' .. id .. '\0', 1, true)
  if not at then return list end
  return at == 1 and string.sub(list, #id + 2) or string.sub(list, 1, at - 2) .. string.sub(list, at + #id)
end

-- Ends deliveries: removes tasks from those in progress of their keys if their leases have ended. If a key waits for
-- the end of a delivery, its turn comes now. Returns whether there was such a key. The caller passes the lease records
-- that it has read and, in `has_ended`, which of these leases have ended. A task without a lease was cancelled during
-- its delivery. The caller must have checked the types of the Redis keys.
local function end_deliveries(turns, running, ids, leases, has_ended, clock_offset)
  local keys, ended = {}, {}
  for i = 1, #ids do
    local key = (has_ended[i] or not leases[i]) and key_of(ids[i])
    if key then
      if not ended[key] then keys[#keys + 1], ended[key] = key, {} end
      ended[key][#ended[key] + 1] = ids[i]
    end
  end
  if #keys == 0 then return false end
  local lists, put, out = redis.call('HMGET', running, unpack(keys)), {}, { '' }
  for i, key in ipairs(keys) do
    local list = lists[i] or ''
    for _, id in ipairs(ended[key]) do list = without(list, id) end
    if list == '' then out[#out + 1] = key else append(put, key, list) end
  end
  -- Remove first: a full Redis refuses a script whose first write could add data.
  redis.call('HDEL', running, unpack(out))
  send('HSET', running, put)
  if redis.call('ZCARD', turns) == 0 then return false end
  local micros, now = read_clock(clock_offset)
  local turn_put = {}
  for i = 1, #keys do
    local turn = redis.call('ZSCORE', turns, keys[i])
    if turn and tonumber(turn) % 1 ~= 0 then append(turn_put, text(now), keys[i]) end
  end
  send('ZADD', turns, turn_put)
  return #turn_put > 0
end

-- Deletes fields of a hash if is_idle returns true for them. Checks only a sample, which the number selects. The caller
-- must have checked the type of the hash.
local function drop_some(hash, number, sample, is_idle)
  local some, out = redis.call('HSCAN', hash, text(math.floor(number / 1009) % 4294967296), 'COUNT', text(sample))[2], {}
  for i = 1, math.min(#some, 2000), 2 do
    if is_idle(some[i], some[i + 1]) then out[#out + 1] = some[i] end
  end
  send('HDEL', hash, out)
end

-- Returns the lowest score of the index, or nil if it is empty.
local function earliest(index)
  local head = redis.call('ZRANGE', index, '0', '0', 'WITHSCORES')
  return head[2] and tonumber(head[2])
end

-- Calls a function with each field and value of a hash, for about 500 fields per page.
local function each_field(hash, pages, visit)
  local cursor = '0'
  for _ = 1, pages do
    local page = redis.call('HSCAN', hash, cursor, 'COUNT', '500')
    for i = 1, #page[2], 2 do visit(page[2][i], page[2][i + 1]) end
    cursor = page[1]
    if cursor == '0' then return end
  end
end

-- Returns whether a string sorts before another one by its bytes. Redis sorts members with equal scores the same way.
local function precedes(one, other)
  for i = 1, math.min(#one, #other) do
    local a, b = string.byte(one, i), string.byte(other, i)
    if a ~= b then return a < b end
  end
  return #one < #other
end

-- Returns the rank of the first member that sorts after an id. All members from first to last have equal scores.
local function rank_behind(index, first, last, id)
  while first < last do
    local middle = math.floor((first + last) / 2)
    if precedes(id, redis.call('ZRANGE', index, middle, middle)[1]) then last = middle else first = middle + 1 end
  end
  return first
end

-- Returns the rank of a task in a sorted set of tasks, and true. If the task does not exist or has another time,
-- returns the rank of the first member that sorts after its place, and false. The shift is ASIDE to look among the tasks
-- that are held back, and 0 to look among other tasks.
local function place_of(set, at_moment, id, shift)
  local score = tonumber(redis.call('ZSCORE', set, id) or '')
  if score and (score >= ASIDE) == (shift > 0) and score_text(score - shift) == at_moment then
    return redis.call('ZRANK', set, id), true
  end
  local from = text(shift + tonumber(at_moment))
  local first, last = redis.call('ZCOUNT', set, '-inf', '(' .. from), redis.call('ZCOUNT', set, '-inf', from)
  return rank_behind(set, first, last, id), false
end

-- Returns members of a sorted set of tasks with their scores, at most limit + 1. Starts after the last task that the
-- caller has read, or at its place if it no longer exists. A position is a task and not a rank, so no task is skipped
-- while others are added or removed. The last task may be of either kind: held back or not.
local function members_behind(index, after_moment, after_id, limit, shift)
  local first = 0
  if after_id ~= '' or after_moment ~= '0' or shift > 0 then
    local rank, is_there = place_of(index, after_moment, after_id, shift)
    first = is_there and rank + 1 or rank
  end
  return redis.call('ZRANGE', index, first, first + limit, 'WITHSCORES')
end

-- Like members_behind, for all live tasks. Merges the tasks that are held back with the other tasks, in order of time.
local function live_behind(index, after_moment, after_id, limit)
  local plain = members_behind(index, after_moment, after_id, limit, 0)
  if redis.call('ZCOUNT', index, text(ASIDE), '+inf') == 0 then return plain end
  local aside = members_behind(index, after_moment, after_id, limit, ASIDE)
  local merged, i, j = {}, 1, 1
  while #merged <= 2 * limit do
    local one = plain[i + 1] and tonumber(plain[i + 1]) < ASIDE and tonumber(plain[i + 1])
    local other = aside[j + 1] and attention(aside[j + 1])
    local at = #merged
    if one and (not other or one < other or (one == other and precedes(plain[i], aside[j]))) then
      merged[at + 1], merged[at + 2], i = plain[i], plain[i + 1], i + 2
    elseif other then
      merged[at + 1], merged[at + 2], j = aside[j], text(other), j + 2
    else
      break
    end
  end
  return merged
end

-- Returns the ids of tasks that are not held for a migration.
local function without_held(holds, ids, now)
  if redis.call('HLEN', holds) == 0 then return ids end
  local free = {}
  for i = 1, #ids do
    if not held_until(holds, ids[i], now) then free[#free + 1] = ids[i] end
  end
  return free
end

-- Deletes tasks from a sorted set (the index or the dead tasks), from their groups and from the given hashes. The mark
-- is LIVE or DEAD. Skips a hash that is false. The caller must have checked the types of the keys.
local function delete_tasks(ids, set, groups, mark, ...)
  if #ids == 0 then return end
  redis.call('ZREM', set, unpack(ids))
  regroup(groups, ids, mark)
  for _, hash in ipairs({ ... }) do
    if hash then redis.call('HDEL', hash, unpack(ids)) end
  end
end
