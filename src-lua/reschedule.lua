-- reschedule: gives a live task another due time. A leased one loses its lease; a dead one is left alone.
--             Where a delivery had begun its request id becomes another one, always the same after the one that it had:
--             what is delivered at the new time is then told apart from what may have been delivered before.
-- KEYS[1] index     ZSET  id -> next moment of attention
-- KEYS[2] tasks     HASH  id -> envelope
-- KEYS[3] leases    HASH  id -> lease record
-- KEYS[4] attempts  HASH  id -> attempts record
-- KEYS[5] transfers  HASH    id -> hold, while tasks migrate to another shard
-- KEYS[6] layout     STRING  newest layout that a caller went by
-- ARGV[1] clock_offset  ms, 0 but in tests
-- ARGV[2] wake_channel  name, '' for none
-- ARGV[3] shard         number, the wake message
-- ARGV[4] layout_text   the caller's layout, '' for none
-- ARGV[5] id
-- ARGV[6] due_text      due time
-- Returns M (rescheduled), F (so too, but a delivery had begun and its end is not known) or N (no such live task); the error
--         NEWER if a newer version wrote its records, MIGRATING if it is migrating to another shard, LAYOUT with the newer
--         layout if the caller's is older
-- Cost: O(log N)
local index, tasks, leases, attempts, transfers, layout = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local clock_offset, wake_channel, shard, layout_text, id, due_text =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

local function next_request_id(request_id)
  local digits = string.sub(redis.sha1hex(request_id), 1, 32)
  return (string.gsub(digits, '..', function(two) return string.char(tonumber(two, 16)) end))
end

local micros, now = read_clock(clock_offset)
local due = tonumber(due_text)
if is_delay(due_text) then due = after(micros, due) end
if due > MAX_DUE then return redis.error_reply('DUETIME after the year 9999') end
local lease = redis.call('HGET', leases, id)
local record = redis.call('HGET', attempts, id)
local first_due, failures, expired, uncertain, reason = parse_attempts(record)
local head = earliest(index)
local any_hold = redis.call('HLEN', transfers) > 0
local live = redis.call('ZSCORE', index, id)
uncertain = uncertain or (lease and true or false)
local envelope = uncertain and redis.call('HGET', tasks, id)
local stale = fence(layout, layout_text, leases)
if stale then return stale end
if not live then return 'N' end
if any_hold and held_until(transfers, id, now) then return redis.error_reply('MIGRATING to another shard') end
if is_newer(lease) or is_newer(record) then return redis.error_reply('NEWER the format of a record') end

allow_writes_when_full(leases)
if uncertain or first_due then
  redis.call('HSET', attempts, id,
    attempts_record(due, failures or 0, expired or 0, uncertain, reason or 'rescheduled during a delivery'))
end
redis.call('ZADD', index, text(due), id)
if envelope and string.byte(envelope, 1) == VERSION and #envelope >= ENVELOPE_MIN then
  local other = next_request_id(string.sub(envelope, 3, ENVELOPE_MIN))
  redis.call('HSET', tasks, id, string.sub(envelope, 1, 2) .. other .. string.sub(envelope, ENVELOPE_MIN + 1))
end
if lease then redis.call('HDEL', leases, id) end
if any_hold then redis.call('HDEL', transfers, id) end
if due < head then wake(wake_channel, shard) end
return uncertain and 'F' or 'M'
