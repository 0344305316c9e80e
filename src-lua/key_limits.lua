-- key_limits: reads or changes the run-time settings of a key: its limits and its closure.
-- A change applies to waiting tasks of the key at once.
-- KEYS[1] leases     HASH    id -> lease record
-- KEYS[2] sharding   STRING  the newest sharding that a caller has sent
-- KEYS[3] turns      ZSET    key -> its turn: when its next waiting task may be acquired, epoch ms
-- KEYS[4] keylimits  HASH    L<key> -> 1:<interval, us>:<concurrency>[:<burst>], with 0 for a limit that was not set;
--                            C<key> -> when the key opens again, epoch ms
-- ARGV[1] clock_offset   ms to add to the server's clock; 0 except in tests
-- ARGV[2] sharding_text  the caller's sharding; '' to skip the check
-- ARGV[3] wake_channel   channel for wake signals; '' for none
-- ARGV[4] shard          number of the shard, sent as the wake signal
-- ARGV[5] id_prefix      prefix that all ids of the key have
-- ARGV[6] limits_change  '=' keeps the limits; '!<value>' sets them, '!' removes them; '?<value>' sets them if there are
--                        none; '-<value>\0<new value>' replaces the limits if they are still <value>, '-<value>\0'
--                        removes them in that case
-- ARGV[7] closed_change  the same for the end of the closure. '+<ms>' closes the key for this time, and '><epoch ms>'
--                        until this moment, unless it is closed for longer already. '-' also removes an ended closure
-- Returns [1] the limits; '' for none
--         [2] when the key opens again, epoch ms; '' if it is open
--         [3] '1' if this call has changed the limits or the closure, otherwise '0'
-- Errors  SHARDING: the caller's sharding is outdated; the message has the newer one
-- Cost: O(log N)

local key = key_of(id_prefix)
local micros, now = read_clock(clock_offset)
local turn = redis.call('ZSCORE', turns, key)
local stored = redis.call('HMGET', keylimits, LIMITS_OF .. key, CLOSED .. key)
redis.call('HLEN', leases)
local stale = fence(sharding, sharding_text, leases)
if stale then return stale end

local function changed(value, change)
  local verb, new = string.sub(change, 1, 1), string.sub(change, 2)
  if verb == '!' or (verb == '?' and value == '') then return new end
  if verb == '-' and value == string.match(new, '^[^%z]*') then return string.match(new, '%z(.*)$') end
  if verb == '>' then return text(math.max(tonumber(value) or 0, math.min(tonumber(new) or 0, MAX_DUE))) end
  if verb == '+' then return text(math.max(tonumber(value) or 0, math.min(now + tonumber(new), MAX_DUE))) end
  return value
end

local until_when = tonumber(stored[2] or 0) or 0
local old = { stored[1] or '', until_when > now and text(until_when) or '' }
local new = { changed(old[1], limits_change), changed(old[2], closed_change) }
if (tonumber(new[2]) or 0) <= now then new[2] = '' end
local is_over = stored[2] and old[2] == '' and string.sub(closed_change, 1, 1) == '-'
local is_new = false
for i, field in ipairs({ LIMITS_OF .. key, CLOSED .. key }) do
  if new[i] ~= old[i] or (i == 2 and is_over) then
    if not is_new then allow_writes_when_full(leases) end
    is_new = true
    if new[i] == '' then redis.call('HDEL', keylimits, field) else redis.call('HSET', keylimits, field, new[i]) end
  end
end
if is_new and turn then
  redis.call('ZADD', turns, text(now), key)
  wake(wake_channel, shard)
end
return { new[1], new[2], text(is_new and 1 or 0) }
