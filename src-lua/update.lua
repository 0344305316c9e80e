-- update: changes a waiting task: its payload, headers or both.
-- The due time, other headers, attempts and request id stay.
-- KEYS[1] index     ZSET    id -> when the task is due or its lease ends, epoch ms
-- KEYS[2] tasks     HASH    id -> envelope
-- KEYS[3] leases    HASH    id -> lease record
-- KEYS[4] attempts  HASH    id -> attempts record
-- KEYS[5] holds     HASH    id -> hold, for tasks that are migrating to another shard
-- KEYS[6] sharding  STRING  the newest sharding that a caller has sent
-- ARGV[1]    clock_offset      ms to add to the server's clock; 0 except in tests
-- ARGV[2]    sharding_text     the caller's sharding; '' to skip the check
-- ARGV[3]    id
-- ARGV[4]    max_header_bytes  NUMBER maximum size of the names and values of all headers except dq- headers
-- ARGV[5]    content_type      content type of the payload, encoded as in the envelope; '' to keep the payload
-- ARGV[6]    payload           bytes
-- ARGV[7...] 2 for each header: name; value. An empty value removes the header. The names must differ
-- Returns U: updated
--         F: nothing was changed, because a delivery has started and may still be in progress
--         N: no live task has this id
-- Errors  NEWER: the envelope is unreadable. A newer version of this library may have written it
--         MIGRATING: the task is migrating to another shard
--         SHARDING: the caller's sharding is outdated; the message has the newer one
--         HEADERS: the headers would be larger than max_header_bytes, and larger than before
-- Cost: O(size of the envelope)

local UNREADABLE = {}

-- Reads a number in the envelope. Returns the position after it, and the number. Fails at the end of the envelope.
local function number_at(envelope, at)
  local value, unit = 0, 1
  for i = at, at + 4 do
    local byte = string.byte(envelope, i) or error(UNREADABLE)
    value, unit = value + byte % 128 * unit, unit * 128
    if byte < 128 then return i + 1, value end
  end
  error(UNREADABLE)
end

-- Reads a string in the envelope. Returns the position after it, and the string. Fails at the end of the envelope.
local function string_at(envelope, at)
  local from, size = number_at(envelope, at)
  if from + size > #envelope + 1 then error(UNREADABLE) end
  return from + size, string.sub(envelope, from, from + size - 1)
end

-- Encodes a number for the envelope.
local function number_text(value)
  local bytes = ''
  while value > 127 do
    bytes, value = bytes .. string.char(128 + value % 128), math.floor(value / 128)
  end
  return bytes .. string.char(value)
end

-- Returns the size that counts towards the maximum. The size of a dq- header is 0.
local function size_of(name, value)
  return string.sub(name, 1, 3) == 'dq-' and 0 or #name + #value
end

-- Applies the changes to the headers of an envelope. Returns the headers, encoded; their size before and after; the
-- position of the payload; the encoded content type. Fails with UNREADABLE if this version
-- cannot read the envelope.
local function headers_of(envelope)
  if string.byte(envelope, 1) ~= VERSION then error(UNREADABLE) end
  local first = ENVELOPE_MIN + 2
  if string.byte(envelope, ENVELOPE_MIN + 1) == 0 then first = string_at(envelope, first) end
  local at, stored = number_at(envelope, first)
  local names, values, before, after, encoded = {}, {}, 0, 0, {}
  for i = 1, stored do
    local value_at, name = string_at(envelope, at)
    names[i] = name
    at, values[name] = string_at(envelope, value_at)
    before = before + size_of(name, values[name])
  end
  for i = FIRST, #ARGV, STEP do
    if values[ARGV[i]] == nil then names[#names + 1] = ARGV[i] end
    values[ARGV[i]] = ARGV[i + 1] ~= '' and ARGV[i + 1]
  end
  for _, name in ipairs(names) do
    local value = values[name]
    if value then
      after = after + size_of(name, value)
      append(encoded, number_text(#name) .. name, number_text(#value) .. value)
    end
  end
  local content_type_bytes = string.sub(envelope, ENVELOPE_MIN + 1, first - 1)
  return number_text(#encoded / 2) .. table.concat(encoded), before, after, at, content_type_bytes
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
local is_readable, headers, before, after, payload_at, stored_type = pcall(headers_of, envelope)
if not is_readable then
  if headers ~= UNREADABLE then error(headers) end
  return redis.error_reply('NEWER the format of an envelope')
end
if after > max_header_bytes and after > before then return redis.error_reply('HEADERS too large') end

if content_type == '' then
  content_type, payload = stored_type, string.sub(envelope, payload_at)
end
redis.call('HSET', tasks, id, string.sub(envelope, 1, ENVELOPE_MIN) .. content_type .. headers .. payload)
if any_hold then redis.call('HDEL', holds, id) end
return 'U'
