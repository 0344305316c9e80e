-- update: replaces the payload of a waiting task, with its type and version.
-- The due time, other headers, attempts and request id stay.
-- KEYS[1] index     ZSET    id -> when the task is due or its lease ends, epoch ms
-- KEYS[2] tasks     HASH    id -> envelope
-- KEYS[3] leases    HASH    id -> lease record
-- KEYS[4] attempts  HASH    id -> attempts record
-- KEYS[5] holds     HASH    id -> hold, for tasks that are migrating to another shard
-- KEYS[6] sharding  STRING  the newest sharding that a caller has sent
-- ARGV[1] clock_offset    ms to add to the server's clock; 0 except in tests
-- ARGV[2] sharding_text   the caller's sharding; '' to skip the check
-- ARGV[3] id
-- ARGV[4] content_type    content type of the payload, encoded as in the envelope
-- ARGV[5] payload         bytes
-- ARGV[6] type_header     name and value of the type header, encoded as in the envelope; '' for none
-- ARGV[7] version_header  the same for the version header
-- Returns U: updated
--         F: nothing was changed, because a delivery has started and may still be in progress
--         N: no live task has this id
-- Errors  NEWER: the envelope is unreadable. A newer version of this library may have written it
--         MIGRATING: the task is migrating to another shard
--         SHARDING: the caller's sharding is outdated; the message has the newer one
-- Cost: O(size of the envelope)

local TYPE_NAME, VERSION_NAME = '\7dq-type', '\10dq-version'

-- Reads a number in the envelope. Returns the position after the number, and the number; nil if there is none.
local function number_at(envelope, at)
  local value, unit = 0, 1
  for i = at, at + 4 do
    local byte = string.byte(envelope, i)
    if not byte then return nil end
    value, unit = value + byte % 128 * unit, unit * 128
    if byte < 128 then return i + 1, value end
  end
end

-- Returns the position after a string in the envelope; nil if there is none.
local function behind_string(envelope, at)
  local text_at, length = number_at(envelope, at)
  return text_at and text_at + length <= #envelope + 1 and text_at + length or nil
end

-- Encodes a number for the envelope.
local function number_text(value)
  local bytes = ''
  while value > 127 do
    bytes, value = bytes .. string.char(128 + value % 128), math.floor(value / 128)
  end
  return bytes .. string.char(value)
end

-- Encodes the headers of the envelope with the type and version of the new payload. Returns nil if it cannot read them.
local function headers_of(envelope)
  if string.byte(envelope, 1) ~= VERSION or #envelope < ENVELOPE_MIN + 2 then return nil end
  local first = ENVELOPE_MIN + 2
  if string.byte(envelope, ENVELOPE_MIN + 1) == 0 then first = behind_string(envelope, first) end
  if not first then return nil end
  local at, count = number_at(envelope, first)
  if not at or 2 * count > #envelope then return nil end
  local headers, own = {}, { [TYPE_NAME] = type_header, [VERSION_NAME] = version_header }
  for i = 1, count do
    local value_at = behind_string(envelope, at)
    local behind = value_at and behind_string(envelope, value_at)
    if not behind then return nil end
    local name = string.sub(envelope, at, value_at - 1)
    if not own[name] then
      headers[#headers + 1] = string.sub(envelope, at, behind - 1)
    elseif own[name] ~= '' then
      headers[#headers + 1], own[name] = own[name], ''
    end
    at = behind
  end
  for _, name in ipairs({ TYPE_NAME, VERSION_NAME }) do
    if own[name] ~= '' then headers[#headers + 1] = own[name] end
  end
  return number_text(#headers) .. table.concat(headers)
end

local live = redis.call('ZSCORE', index, id)
local envelope = redis.call('HGET', tasks, id)
local lease = redis.call('HGET', leases, id)
local first_due, failures, expired, uncertain = parse_attempts(redis.call('HGET', attempts, id))
local any_hold = redis.call('HLEN', holds) > 0
local stale = fence(sharding, sharding_text, leases)
if stale then return stale end
if not live or not envelope then return 'N' end
if any_hold then
  local micros, now = read_clock(clock_offset)
  if held_until(holds, id, now) then return redis.error_reply('MIGRATING to another shard') end
end
if lease or uncertain then return 'F' end
local headers = headers_of(envelope)
if not headers then return redis.error_reply('NEWER the format of an envelope') end

redis.call('HSET', tasks, id, string.sub(envelope, 1, ENVELOPE_MIN) .. content_type .. headers .. payload)
return 'U'
