-- prelude: functions and constants that all scripts share. The loader prepends it to each script.
--
-- A lease record is       1:<token>[w]:<deadline ms>:<due ms>[@<process>]. The w says that the task was scheduled or
--                         rescheduled during the delivery that holds the lease, and waits for its end
-- An attempts record is   1:<due ms>:<failures>:<expired leases>:<uncertain 0|1>:<last reason>[<trail>]
-- A trail is              for each of the last attempts that failed or lost their lease, the newest first:
--                         \30<when, ms> <the first 100 bytes of its reason>
-- A hold is               1:<token>:<deadline ms>: the task is migrating to another shard, at most until then
-- A sharding is             1:<epoch>:<shards>:<configured>:<earlier, 0 for none>
-- An envelope is          <version byte 1><outcome byte><16 bytes of request id><the client's part>. The outcome is a
--                         capital letter; a small one means that the task sets how late it may be delivered
-- "uncertain" means that a delivery has started and its end is unknown, so it may still be in progress.

local VERSION = 1
local ENVELOPE_MIN = 18
local MAX_DUE = 253402300799999
-- Added to the score of a task that is put aside until its key's turn.
local ASIDE = 4000000000000000
-- The largest moment of clocks and leases. This library writes no larger value.
local MAX_MOMENT = 9007199254740991
-- Added to a quarantined task's time of death, so that bounds by age and number do not apply to it.
local QUARANTINED = 1000000000000000
local LONGEST_HOLD = 86400000
local LONGEST_ID = 4096
-- Lease records have room for tokens of 15 digits, which last until the year 2255.
local LAST_CLOCK_TOKEN = 900000000000000
-- The first byte of ids with a key or a group.
local BRACE = 123
-- The prefixes of ids in groups. A brace follows LIVE, so that no id begins with DEAD.
local LIVE, DEAD = '', 'D'
-- The last reason of a task that replaced a task in progress, until its own delivery starts.
local REPLACED = 'replaced during a delivery'

-- Returns the Redis server's clock in microseconds and milliseconds, plus an offset in milliseconds that only tests
-- set. If time stands still in a test, the argument is the moment: an equals sign and microseconds since the epoch.
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

-- Formats a whole number for Redis; Lua would write large numbers with an exponent. '%d' is several times as fast as
-- '%.0f', but limited to a C long, which is too small for moments on a 32-bit Redis.
local whole = nil
local function text(number)
  whole = whole or (string.format('%d', 4294967296) == '4294967296' and '%d' or '%.0f')
  return string.format(whole, number)
end

-- Returns the moment of a score of the index as a number, also for a task that is put aside.
local function attention(score)
  score = tonumber(score)
  return score >= ASIDE and score <= ASIDE + MAX_DUE and score - ASIDE or score
end

-- Formats the millisecond of a score. Scores of this library are in range; others may be anything up to infinity.
local function moment(score)
  local at = attention(score)
  if at >= QUARANTINED and at <= QUARANTINED + MAX_DUE then at = at - QUARANTINED end
  return text(math.floor(math.max(0, math.min(at, MAX_DUE))))
end

-- Returns a score as text, so that the caller can pass it to a later call without losing digits.
local function score_text(score)
  return text(math.floor(math.max(0, math.min(tonumber(score), QUARANTINED + MAX_DUE))))
end

-- Returns the envelope of a task that is due again after a delivery. Its request id changes, deterministically, so that
-- the next delivery is distinguishable from the earlier one. An envelope that this version cannot read is unchanged.
local function next_envelope(envelope)
  if string.byte(envelope, 1) ~= VERSION or #envelope < ENVELOPE_MIN then return envelope end
  local digits = string.sub(redis.sha1hex(string.sub(envelope, 3, ENVELOPE_MIN)), 1, 32)
  local request_id = string.gsub(digits, '..', function(two) return string.char(tonumber(two, 16)) end)
  return string.sub(envelope, 1, 2) .. request_id .. string.sub(envelope, ENVELOPE_MIN + 1)
end

-- Moves ids between the members of a shard's groups. All scores are 0, so that Redis orders the members by their bytes.
-- The member for a live task of a group is LIVE and its id, for a dead one DEAD and its id; nil means no member. Skips
-- ids without a group; the others start with {group}~ or {key}:{group}~. The caller must have checked the key's type.
local function regroup(groups, ids, from, to)
  local put, out = {}, {}
  for i = 1, #ids do
    local id = ids[i]
    if string.byte(id) == BRACE and (string.find(id, '^{[^}]+}~') or string.find(id, '^{[^}]+}:{[^}]+}~')) then
      if to then put[#put + 1], put[#put + 2] = '0', to .. id end
      if from then out[#out + 1] = from .. id end
    end
  end
  if #put > 0 then redis.call('ZADD', groups, unpack(put)) end
  if #out > 0 then redis.call('ZREM', groups, unpack(out)) end
end

-- Returns a text that sorts after all ids with this prefix of a group, whose last byte is a tilde.
local function behind_group(prefix)
  return string.sub(prefix, 1, -2) .. '\127'
end

-- Returns at most limit LIVE or DEAD members of a group, starting with this id or, for '', with the first one. All ids
-- of the group start with the prefix.
local function group_members(groups, prefix, mark, from, limit)
  local first = mark .. (from ~= '' and from or prefix)
  return redis.call('ZRANGE', groups, '[' .. first, '(' .. mark .. behind_group(prefix), 'BYLEX', 'LIMIT', '0', text(limit))
end

-- A due time is sent as epoch milliseconds, or as a delay in milliseconds after a plus sign.
local function is_delay(due_text)
  return string.byte(due_text) == 43
end

-- Returns the first whole millisecond after this delay; now if it is not positive.
local function after(micros, delay_ms)
  return delay_ms > 0 and math.ceil(micros / 1000) + delay_ms or math.floor(micros / 1000)
end

-- Returns the moment of a due time, limited to the last possible moment.
local function due_at(micros, due_text)
  local due = tonumber(due_text)
  return math.min(is_delay(due_text) and after(micros, due) or due, MAX_DUE)
end

-- Returns whether an id is valid for a new task: UTF-8, not blank, without control characters (also below U+00A0), line
-- and paragraph separators and direction overrides (U+2028 to U+202E, U+2066 to U+2069).
local function is_id(id)
  if #id > LONGEST_ID then return false end
  if string.find(id, '[\128-\255]') then
    for _, character in ipairs({
      '\194[\160-\191]', '[\195-\223][\128-\191]', '\224[\160-\191][\128-\191]', '\226\128[\128-\167\175-\191]',
      '\226\129[\128-\165\170-\191]', '\226[\130-\191][\128-\191]', '\237[\128-\159][\128-\191]',
      '[\225\227-\236\238\239][\128-\191][\128-\191]', '\240[\144-\191][\128-\191][\128-\191]',
      '[\241-\243][\128-\191][\128-\191][\128-\191]', '\244[\128-\143][\128-\191][\128-\191]',
    }) do
      id = string.gsub(id, character, 'x')
    end
  end
  return string.find(id, '^[\32-\126]+$') and string.find(id, '[^ ]')
end

-- Formats a lease record from four texts; the holder is '@' and the name of the process, or ''.
local function lease_record(token, deadline, due, holder)
  return '1:' .. token .. ':' .. deadline .. ':' .. due .. holder
end

-- Returns token (string), deadline, due, whether the task waits for the end of the delivery, and the holder as stored;
-- nil for no lease or an unreadable one.
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

-- Returns due, failures, expired, uncertain (boolean), reason and trail, which follows the reason in the next record;
-- nil for no record. For an unreadable record returns true as uncertain and nothing else, because its content is
-- unknown.
local function parse_attempts(record)
  if not record then return nil end
  local due, failures, expired, uncertain, reason, trail =
    string.match(record, '^1:(%d+):(%d+):(%d+):([01]):([^\30]*)(.*)$')
  if not due or tonumber(due) > MAX_DUE or #failures > 9 or #expired > 9 then return nil, nil, nil, true end
  return tonumber(due), tonumber(failures), tonumber(expired), uncertain == '1', reason, trail
end

-- Returns the trail with one more attempt in front. Scripts do not parse a trail. Java reads five entries, which fit
-- into this many bytes.
local function longer_trail(trail, at, reason)
  return string.sub('\30' .. text(at) .. ' ' .. string.sub(reason, 1, 100) .. (trail or ''), 1, 580)
end

-- Returns the last issued fencing token, 0 for none; nil if it is not a number.
local function parse_token(record)
  if not record then return 0 end
  return string.find(record, '^%d+$') and #record < 16 and tonumber(record) or nil
end

local function no_count()
  return redis.error_reply('WRONGTYPE the token counter is no number')
end

-- Returns the next fencing token: the clock in units of 10 microseconds, so that a lost counter continues at a higher
-- value, or one more if the clock is behind. A batch takes longer than a unit, so tokens do not run ahead of the clock.
local function token_after(last, micros)
  return math.max(last + 1, math.min(math.floor(micros / 10), LAST_CLOCK_TOKEN))
end

-- Raises tokens above those of another shard, before its tasks or ids move here. Must be the first write of a script.
local function raise_token(token, last, least)
  if least > last then redis.call('SET', token, text(least)) end
end

-- Returns whether a newer version of this library wrote a lease or attempts record.
local function is_newer(record)
  local version = record and string.match(record, '^(%d+):')
  return version and tonumber(version) > VERSION
end

-- When Redis is out of memory, it refuses a script whose first write could add data, and allows all writes after one
-- that could not. Scripts that shrink or move data therefore start with this harmless write, so that a full Redis can
-- still drain. Use this only with the leases, where the empty field belongs to this library; in another hash it may be
-- a foreign record.
local function allow_writes_when_full(leases)
  redis.call('HDEL', leases, '')
end

-- Returns how new a sharding is: 0 for none; newer than all others if it cannot be read.
local function epoch_of(sharding_text)
  if not sharding_text then return 0 end
  return tonumber(string.match(sharding_text, '^1:(%d+):') or math.huge)
end

-- Compares the caller's sharding with the newest that any caller has passed to this shard, and records it if it is
-- newer. Returns an error reply if it is older, because the task may have its home elsewhere by now. '' is for calls
-- without a sharding. Scripts whose writes must succeed when Redis is full pass the leases. Scripts that have not read
-- the index pass it, so that a wrong type fails the call before anything is written.
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

-- Returns until when a task is held for a migration to another shard; nil if it is not, or if a migration did not write
-- the record, because a task must not wait forever.
local function held_until(holds, id, now)
  local hold = redis.call('HGET', holds, id)
  local deadline = hold and tonumber(string.match(hold, '^%d+:%d+:(%d+)$') or 0)
  return deadline and deadline > now and deadline <= now + LONGEST_HOLD and deadline or nil
end

-- An operation record is 1:<last beat, epoch ms>:<dry run 0|1>:<stop 0|1>:<process>:<progress>. Returns beat (number),
-- dry run, stop, process and progress; nil for no record.
local function parse_operation(record)
  local beat, dry_run, stop, holder, content = string.match(record or '', '^1:(%d+):([01]):([01]):([^:]*):(.*)$')
  return tonumber(beat or ''), dry_run, stop, holder, content
end

-- Returns a function that adds an event of a task to the history of a shard; kept is '' for no history, or the number
-- of entries to keep, a space and the name of this process. The function never fails,
-- because its script has already written.
local function chronicle(history, kept)
  local most, process = string.match(kept, '^(%d+) (.*)$')
  return function(id, event, reason, by)
    if not most then return end
    redis.pcall('XADD', history, 'MAXLEN', '~', most, '*',
      'id', id, 'event', event, 'reason', reason, 'process', by or process)
  end
end

-- Notifies sleeping pollers that this shard has earlier work than they know. This is only a hint, so a missing
-- permission to publish does not fail the call, which has already written.
local function wake(channel, shard)
  if channel ~= '' then redis.pcall('PUBLISH', channel, shard) end
end

-- Returns the key of an id, nil for none. No key contains a zero byte.
local function key_of(id)
  return string.byte(id) == BRACE and string.match(id, '^{([^}%z]+)}:') or nil
end

-- Drops fields of a hash if is_idle returns true for them. Checks only some fields, chosen by the number. The caller
-- must have checked the key's type.
local function drop_some(hash, number, sample, is_idle)
  local some, out = redis.call('HSCAN', hash, text(math.floor(number / 1009) % 4294967296), 'COUNT', text(sample))[2], {}
  for i = 1, math.min(#some, 2000), 2 do
    if is_idle(some[i], some[i + 1]) then out[#out + 1] = some[i] end
  end
  if #out > 0 then redis.call('HDEL', hash, unpack(out)) end
end

-- Returns the lowest score of the index, or nil if it is empty.
local function earliest(index)
  local head = redis.call('ZRANGE', index, '0', '0', 'WITHSCORES')
  return head[2] and tonumber(head[2])
end

-- Returns whether a text sorts before another one by its bytes, as Redis sorts members with equal scores.
local function precedes(one, other)
  for i = 1, math.min(#one, #other) do
    local a, b = string.byte(one, i), string.byte(other, i)
    if a ~= b then return a < b end
  end
  return #one < #other
end

-- Returns the rank of the first member that sorts after an id; all of these members have equal scores.
local function rank_behind(index, first, last, id)
  while first < last do
    local middle = math.floor((first + last) / 2)
    if precedes(id, redis.call('ZRANGE', index, middle, middle)[1]) then last = middle else first = middle + 1 end
  end
  return first
end

-- Returns members of a sorted set of tasks with their scores: up to one more than the number, after the last task
-- read, or from its moment on if it no longer exists. A position is a task, not a rank, so no task is skipped while
-- others are added or removed. The shift is ASIDE for tasks that are put aside, otherwise 0. The last task may be of
-- the other kind.
local function members_behind(index, after_moment, after_id, limit, shift)
  local first = 0
  if after_id ~= '' or after_moment ~= '0' or shift > 0 then
    local score = tonumber(redis.call('ZSCORE', index, after_id) or '')
    if score and (score >= ASIDE) == (shift > 0) and score_text(score - shift) == after_moment then
      first = redis.call('ZRANK', index, after_id) + 1
    else
      local moment = text(shift + tonumber(after_moment))
      first = redis.call('ZCOUNT', index, '-inf', '(' .. moment)
      if score and score_text(attention(score)) == after_moment then
        first = rank_behind(index, first, redis.call('ZCOUNT', index, '-inf', moment), after_id)
      end
    end
  end
  return redis.call('ZRANGE', index, first, first + limit, 'WITHSCORES')
end

-- Returns the same for all live tasks, sorted by moment, including tasks that are put aside.
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

-- Returns the ids that are not held for a migration.
local function without_held(holds, ids, now)
  if redis.call('HLEN', holds) == 0 then return ids end
  local free = {}
  for i = 1, #ids do
    if not held_until(holds, ids[i], now) then free[#free + 1] = ids[i] end
  end
  return free
end

-- Deletes tasks from the index or the dead tasks, from their groups (as LIVE or DEAD members), and from these hashes.
-- Pass false for a hash to leave it alone. The caller must have checked the types of the keys.
local function delete_tasks(ids, set, groups, mark, ...)
  if #ids == 0 then return end
  redis.call('ZREM', set, unpack(ids))
  regroup(groups, ids, mark)
  for _, hash in ipairs({ ... }) do
    if hash then redis.call('HDEL', hash, unpack(ids)) end
  end
end
