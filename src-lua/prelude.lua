-- prelude: what every script shares; the loader puts it in front of each of them.
--
-- A lease record is       1:<token>[w]:<deadline ms>:<due ms>[@<process>]. The w says that the task was scheduled or
--                         rescheduled during the delivery that holds the lease, and waits for its end
-- An attempts record is   1:<due ms>:<failures>:<expired leases>:<uncertain 0|1>:<last reason>[<trail>]
-- A trail is              for each of the last attempts that failed or lost their lease, the newest first:
--                         \30<when, ms> <the first 100 bytes of its reason>
-- A hold is               1:<token>:<deadline ms>: the task is migrating to another shard, at most until then
-- A sharding is             1:<epoch>:<shards>:<configured>:<earlier, 0 for none>
-- An envelope is          <version byte 1><outcome byte><16 bytes of request id><the client's part>. The outcome is a
--                         capital, or a small letter where the task says itself how late it may be delivered
-- "uncertain" means that a delivery began whose end is not known, so that it may still be under way.

local VERSION = 1
local ENVELOPE_MIN = 18
local MAX_DUE = 253402300799999
-- No clock and no lease reaches further than this; what says otherwise was not written by this library.
local MAX_MOMENT = 9007199254740991
-- Added to the time of death of a task that is quarantined. So bounds by age and by number do not reach it.
local QUARANTINED = 1000000000000000
local LONGEST_HOLD = 86400000
local LONGEST_ID = 4096
-- Lease records have room for tokens of 15 digits. A clock that says more than the year 2255 does not take it all.
local LAST_CLOCK_TOKEN = 900000000000000
-- With which an id begins that names a key or a group.
local BRACE = 123
-- The prefixes of the ids that groups have. Behind LIVE comes a brace, so that no id begins with DEAD.
local LIVE, DEAD = '', 'D'
-- The last reason of a task that took the place of one under delivery, until a delivery of its own has begun.
local REPLACED = 'replaced during a delivery'

-- The Redis server's clock plus an offset in milliseconds that only tests set. Tests in which time stands still give the
-- moment instead, an equals sign and microseconds since the epoch. Returns microseconds, milliseconds.
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

-- A whole number as Redis reads it; Lua would write large ones with an exponent. '%d' is several times as fast as
-- '%.0f', but prints what a C long holds, and on a Redis of 32 bits that is no moment.
local whole = nil
local function text(number)
  whole = whole or (string.format('%d', 4294967296) == '4294967296' and '%d' or '%.0f')
  return string.format(whole, number)
end

-- The millisecond of a score as text. Scores that this library writes are in range; others may be anything up to
-- infinity.
local function moment(score)
  local at = tonumber(score)
  if at >= QUARANTINED and at <= QUARANTINED + MAX_DUE then at = at - QUARANTINED end
  return text(math.floor(math.max(0, math.min(at, MAX_DUE))))
end

-- A score as text, for a caller that comes back with it.
local function score_text(score)
  return text(math.floor(math.max(0, math.min(tonumber(score), QUARANTINED + MAX_DUE))))
end

-- Returns the envelope of a task that is due again after a delivery. Its request id becomes another one, always the same
-- after the one that it had, so that what is delivered then is told apart from what was delivered before. An envelope
-- that this version cannot read stays as it is.
local function next_envelope(envelope)
  if string.byte(envelope, 1) ~= VERSION or #envelope < ENVELOPE_MIN then return envelope end
  local digits = string.sub(redis.sha1hex(string.sub(envelope, 3, ENVELOPE_MIN)), 1, 32)
  local request_id = string.gsub(digits, '..', function(two) return string.char(tonumber(two, 16)) end)
  return string.sub(envelope, 1, 2) .. request_id .. string.sub(envelope, ENVELOPE_MIN + 1)
end

-- Moves ids between the members of a shard's groups, whose scores are all 0, so that Redis has them in the order of their
-- bytes. A live task of a group is a member as LIVE and its id, a dead one as DEAD and its id; nil stands for no member.
-- Ids that name no group are passed over: of those that do, {group}~ or {key}:{group}~ is the beginning. The type of the key has
-- to be looked at before.
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

-- Behind all ids that begin with this prefix of a group, whose last byte is a tilde.
local function behind_group(prefix)
  return string.sub(prefix, 1, -2) .. '\127'
end

-- The members of a group that are LIVE or DEAD, from an id on, '' for the first: at most so many. The prefix is the beginning of
-- its ids.
local function group_members(groups, prefix, mark, from, limit)
  local first = mark .. (from ~= '' and from or prefix)
  return redis.call('ZRANGE', groups, '[' .. first, '(' .. mark .. behind_group(prefix), 'BYLEX', 'LIMIT', '0', text(limit))
end

-- A due time is sent as epoch milliseconds, or as a delay in milliseconds after a plus sign.
local function is_delay(due_text)
  return string.byte(due_text) == 43
end

-- The first whole millisecond at which so many have passed; at once if there is nothing to wait for.
local function after(micros, delay_ms)
  return delay_ms > 0 and math.ceil(micros / 1000) + delay_ms or math.floor(micros / 1000)
end

-- The moment that a due time says, never beyond the last one.
local function due_at(micros, due_text)
  local due = tonumber(due_text)
  return math.min(is_delay(due_text) and after(micros, due) or due, MAX_DUE)
end

-- Whether an id is one that can be scheduled: UTF-8, not blank, without control characters (also below U+00A0), line and
-- paragraph separators and direction overrides (U+2028 to U+202E, U+2066 to U+2069).
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

-- Of four texts; the holder is '@' and the name of the process, or ''.
local function lease_record(token, deadline, due, holder)
  return '1:' .. token .. ':' .. deadline .. ':' .. due .. holder
end

-- Returns token (string), deadline, due, whether the task waits for the end of the delivery, the holder as it stands in
-- the record; or nil for no lease or one that cannot be read.
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

-- Returns due, failures, expired, uncertain (boolean), reason, trail, which belongs behind the reason of the next record;
-- or nil for no record. Of one that cannot be read only uncertain is given, as true: nobody knows what it said.
local function parse_attempts(record)
  if not record then return nil end
  local due, failures, expired, uncertain, reason, trail =
    string.match(record, '^1:(%d+):(%d+):(%d+):([01]):([^\30]*)(.*)$')
  if not due or tonumber(due) > MAX_DUE or #failures > 9 or #expired > 9 then return nil, nil, nil, true end
  return tonumber(due), tonumber(failures), tonumber(expired), uncertain == '1', reason, trail
end

-- The trail with one more attempt in front. Scripts do not read a trail. Java reads five entries, which so many bytes have.
local function longer_trail(trail, at, reason)
  return string.sub('\30' .. text(at) .. ' ' .. string.sub(reason, 1, 100) .. (trail or ''), 1, 580)
end

-- The fencing token that was given out last, 0 for none; nil for what is no count.
local function parse_token(record)
  if not record then return 0 end
  return string.find(record, '^%d+$') and #record < 16 and tonumber(record) or nil
end

local function no_count()
  return redis.error_reply('WRONGTYPE the token counter is no number')
end

-- The fencing token after the last one: the clock in units of 10 microseconds, so that a counter that was lost goes on
-- above, or one more where the clock is behind. A batch takes longer than a unit, so tokens do not run ahead of the
-- clock.
local function token_after(last, micros)
  return math.max(last + 1, math.min(math.floor(micros / 10), LAST_CLOCK_TOKEN))
end

-- Lets tokens go on above those of another shard, from which tasks or ids come here. The first write of its script.
local function raise_token(token, last, least)
  if least > last then redis.call('SET', token, text(least)) end
end

-- Whether a newer version of this library wrote a lease or attempts record.
local function is_newer(record)
  local version = record and string.match(record, '^(%d+):')
  return version and tonumber(version) > VERSION
end

-- Redis refuses the first write of a script when it is out of memory, if that write could grow the data, and allows all
-- after a write that could not. Scripts that shrink or move what is there begin their writes with this harmless one, so
-- that a full Redis still drains. For leases only, whose empty field is this library's: elsewhere it may be a foreign
-- record.
local function allow_writes_when_full(leases)
  redis.call('HDEL', leases, '')
end

-- How new a sharding is: 0 for none; newer than all for one that cannot be read.
local function epoch_of(sharding_text)
  if not sharding_text then return 0 end
  return tonumber(string.match(sharding_text, '^1:(%d+):') or math.huge)
end

-- Compares the caller's sharding with the newest one that this shard has seen, and remembers it if it is newer.
-- Returns an error reply if it is older: the task may have its home elsewhere by now. '' is for calls without one. The leases are given by callers whose writes must succeed when Redis is full;
-- an index by those that have not read it yet, because a call that finds it of another type may leave nothing.
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

-- The moment until which a task is held for a migration to another shard; nil if it is not, or by a record that no
-- migration wrote: a task must not wait for ever.
local function held_until(holds, id, now)
  local hold = redis.call('HGET', holds, id)
  local deadline = hold and tonumber(string.match(hold, '^%d+:%d+:(%d+)$') or 0)
  return deadline and deadline > now and deadline <= now + LONGEST_HOLD and deadline or nil
end

-- An operation record is 1:<last beat, epoch ms>:<dry run 0|1>:<stop 0|1>:<who runs it>:<what that noted>. Returns beat (number),
-- dry run, stop, who, content; or nil for no record.
local function parse_operation(record)
  local beat, dry_run, stop, holder, content = string.match(record or '', '^1:(%d+):([01]):([01]):([^:]*):(.*)$')
  return tonumber(beat or ''), dry_run, stop, holder, content
end

-- Returns a function that adds to the history of a shard what became of a task; kept is '' for no history, or the number of
-- entries to keep, a space and the name of this process. A script that has written must not fail because this fails.
local function chronicle(history, kept)
  local most, process = string.match(kept, '^(%d+) (.*)$')
  return function(id, event, reason, by)
    if not most then return end
    redis.pcall('XADD', history, 'MAXLEN', '~', most, '*',
      'id', id, 'event', event, 'reason', reason, 'process', by or process)
  end
end

-- Tells sleeping pollers that this shard has work earlier than they know. A hint: that the user may not publish is no
-- reason to fail a call that has written.
local function wake(channel, shard)
  if channel ~= '' then redis.pcall('PUBLISH', channel, shard) end
end

-- The lowest score of the index, or nil when it is empty.
local function earliest(index)
  local head = redis.call('ZRANGE', index, '0', '0', 'WITHSCORES')
  return head[2] and tonumber(head[2])
end

-- Returns the members of a list of tasks, with their scores, behind the task that was looked at last, or from its moment on
-- if it is gone: at most so many and one more. By the task and not by its rank, so that pages go on where they ended although
-- tasks come and go: none that stays is left out.
local function members_behind(index, after_moment, after_id, limit)
  local first = 0
  if after_id ~= '' or after_moment ~= '0' then
    local score = redis.call('ZSCORE', index, after_id)
    if score and score_text(score) == after_moment then
      first = redis.call('ZRANK', index, after_id) + 1
    else
      first = redis.call('ZCOUNT', index, '-inf', '(' .. after_moment)
    end
  end
  return redis.call('ZRANGE', index, first, first + limit, 'WITHSCORES')
end

-- Those of these ids that are not held for a migration.
local function without_held(holds, ids, now)
  if redis.call('HLEN', holds) == 0 then return ids end
  local free = {}
  for i = 1, #ids do
    if not held_until(holds, ids[i], now) then free[#free + 1] = ids[i] end
  end
  return free
end

-- Deletes tasks from the index or the dead, from their groups, where they are LIVE or DEAD, and from these hashes; false
-- stands for none. The types of the keys have to be looked at before.
local function delete_tasks(ids, set, groups, mark, ...)
  if #ids == 0 then return end
  redis.call('ZREM', set, unpack(ids))
  regroup(groups, ids, mark)
  for _, hash in ipairs({ ... }) do
    if hash then redis.call('HDEL', hash, unpack(ids)) end
  end
end
