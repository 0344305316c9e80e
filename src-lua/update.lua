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
-- ARGV[7...] 1 for each header: name and value, encoded as in the envelope. An empty value removes the header. The
--            names must differ
-- Returns U: updated
--         F: nothing was changed, because a delivery has started and may still be in progress
--         N: no live task has this id
-- Errors  NEWER: the envelope is unreadable. A newer version of this library may have written it
--         MIGRATING: the task is migrating to another shard
--         SHARDING: the caller's sharding is outdated; the message has the newer one
--         HEADERS: the headers would be larger than max_header_bytes, and larger than before
-- Cost: O(size of the envelope)

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

-- Returns the position after a string, and the string's size; nil if there is none.
local function behind_string(bytes, at)
  local text_at, size = number_at(bytes, at)
  if text_at and text_at + size <= #bytes + 1 then return text_at + size, size end
end

-- Reads a header. Returns the position after it, its encoded name, the size of its value, and its size; nil if there is
-- none. The size of a dq- header is 0.
local function header_at(bytes, at)
  local value_at, name_size = behind_string(bytes, at)
  if not value_at then return nil end
  local behind, value_size = behind_string(bytes, value_at)
  if not behind then return nil end
  local name = string.sub(bytes, at, value_at - 1)
  return behind, name, value_size, string.sub(name, 2, 4) == 'dq-' and 0 or name_size + value_size
end

-- Encodes a number for the envelope.
local function number_text(value)
  local bytes = ''
  while value > 127 do
    bytes, value = bytes .. string.char(128 + value % 128), math.floor(value / 128)
  end
  return bytes .. string.char(value)
end

-- Applies the changes to the headers of an envelope. Returns the headers, encoded; their size before and after; the
-- position of the payload; the encoded content type. Returns nil if the envelope is unreadable.
local function headers_of(envelope)
  if string.byte(envelope, 1) ~= VERSION or #envelope < ENVELOPE_MIN + 2 then return nil end
  local first = ENVELOPE_MIN + 2
  if string.byte(envelope, ENVELOPE_MIN + 1) == 0 then first = behind_string(envelope, first) end
  if not first then return nil end
  local at, stored = number_at(envelope, first)
  if not at or 2 * stored > #envelope then return nil end
  local names, headers, sizes, before = {}, {}, {}, 0
  for i = 1, stored do
    local behind, name, _, size = header_at(envelope, at)
    if not behind then return nil end
    names[i], headers[name], sizes[name] = name, string.sub(envelope, at, behind - 1), size
    before, at = before + size, behind
  end
  local after = before
  for i = FIRST, #ARGV do
    local _, name, value_size, size = header_at(ARGV[i], 1)
    if not headers[name] then names[#names + 1] = name end
    headers[name] = value_size > 0 and ARGV[i] or ''
    after = after - (sizes[name] or 0) + (value_size > 0 and size or 0)
  end
  local kept = {}
  for _, name in ipairs(names) do
    if headers[name] ~= '' then kept[#kept + 1] = headers[name] end
  end
  return number_text(#kept) .. table.concat(kept), before, after, at, string.sub(envelope, ENVELOPE_MIN + 1, first - 1)
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
local headers, before, after, payload_at, stored_type = headers_of(envelope)
if not headers then return redis.error_reply('NEWER the format of an envelope') end
if after > max_header_bytes and after > before then return redis.error_reply('HEADERS too large') end

if content_type == '' then
  content_type, payload = stored_type, string.sub(envelope, payload_at)
end
redis.call('HSET', tasks, id, string.sub(envelope, 1, ENVELOPE_MIN) .. content_type .. headers .. payload)
return 'U'
