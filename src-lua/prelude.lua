-- prelude: what every script shares; the loader puts it in front of each of them.
--
-- A lease record is       1:<token>:<deadline ms>:<due ms>
-- An attempts record is   1:<due ms>:<failures>:<expired leases>:<uncertain 0|1>:<last reason>
-- An envelope is          <version byte 1><outcome byte><16 bytes of request id><the client's part>
-- "uncertain" means that a delivery began whose end is not known, so that it may still be under way.

local VERSION = 1
local ENVELOPE_MIN = 18
local MAX_DUE = 253402300799999

-- The Redis server's clock plus an offset that only tests set. Returns microseconds, milliseconds.
local function read_clock(offset_ms)
  local time = redis.call('TIME')
  local micros = tonumber(time[1]) * 1000000 + tonumber(time[2]) + tonumber(offset_ms) * 1000
  return micros, math.floor(micros / 1000)
end

-- A whole number as Redis reads it; Lua would write large ones with an exponent.
local function text(number)
  return string.format('%.0f', number)
end

local function lease_record(token, deadline, due)
  return '1:' .. token .. ':' .. text(deadline) .. ':' .. text(due)
end

-- Returns token (string), deadline, due; or nil for no lease or one that cannot be read.
local function parse_lease(record)
  if not record then return nil end
  local token, deadline, due = string.match(record, '^1:(%d+):(%d+):(%d+)$')
  if not token then return nil end
  return token, tonumber(deadline), tonumber(due)
end

local function attempts_record(due, failures, expired, uncertain, reason)
  return '1:' .. text(due) .. ':' .. text(failures) .. ':' .. text(expired) .. ':' .. (uncertain and '1' or '0') .. ':'
    .. reason
end

-- Returns due, failures, expired, uncertain (boolean), reason; or nil for no record. Of one that cannot be read only
-- uncertain is given, as true: nobody knows what it said.
local function parse_attempts(record)
  if not record then return nil end
  local due, failures, expired, uncertain, reason = string.match(record, '^1:(%d+):(%d+):(%d+):([01]):(.*)$')
  if not due then return nil, nil, nil, true end
  return tonumber(due), tonumber(failures), tonumber(expired), uncertain == '1', reason
end

-- Whether a newer version of this library wrote a lease or attempts record.
local function is_newer(record)
  local version = record and string.match(record, '^(%d+):')
  return version and tonumber(version) > VERSION
end

-- Redis refuses the first write of a script when it is out of memory, if that write could grow the data, and allows all
-- after a write that could not. Scripts that shrink or move what is there begin their writes with this harmless one, so
-- that a full Redis still drains.
local function allow_writes_when_full(leases)
  redis.call('HDEL', leases, '')
end

-- Tells sleeping pollers that this shard has work earlier than they know. A hint: that the user may not publish is no
-- reason to fail a call that has written.
local function wake(channel, shard)
  if channel ~= '' then redis.pcall('PUBLISH', channel, shard) end
end

-- The lowest score of the index, or nil when it is empty.
local function earliest(index)
  local head = redis.call('ZRANGE', index, 0, 0, 'WITHSCORES')
  return head[2] and tonumber(head[2])
end

