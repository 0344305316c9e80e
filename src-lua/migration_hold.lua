-- migration_hold: holds tasks for a migration to another shard, and reads them.
-- While a task is held, no other call acquires or changes it.
-- KEYS[1] index     ZSET    id -> when the task is due or its lease ends, epoch ms
-- KEYS[2] tasks     HASH    id -> envelope
-- KEYS[3] leases    HASH    id -> lease record
-- KEYS[4] attempts  HASH    id -> attempts record
-- KEYS[5] dead      ZSET    id -> time of death, epoch ms; plus QUARANTINED for a quarantined task
-- KEYS[6] token     STRING  the last fencing token issued
-- KEYS[7] holds     HASH    id -> hold
-- KEYS[8] sharding  STRING  the newest sharding that a caller has sent
-- ARGV[1]    clock_offset   ms to add to the server's clock; 0 except in tests
-- ARGV[2]    sharding_text  the caller's sharding
-- ARGV[3]    hold           NUMBER ms until the holds end
-- ARGV[4]    most_bytes     NUMBER maximum size of the envelopes. The script stops after the task that exceeds it
-- ARGV[5...] 1 for each task: id. At most 500; the ids must differ
-- Returns [1] token of the holds, which is higher than the token of any earlier lease; '' if no task is held
--         [2] deadline of the holds, epoch ms
--         [3] number of ids that were processed
--         [4] number of tasks that stay here, because they are leased or held already
--         [5] five values for each task held now: id; I (in the index) or D (dead); score there; envelope; attempts
--             record or ''
-- Errors  SHARDING: the caller's sharding is outdated; the message has the newer one
-- Cost: O(n log N)

local micros, now = read_clock(clock_offset)
local deadline = now + hold
check_types({}, { attempts, holds })
local last_token = parse_token(redis.call('GET', token))
if not last_token then return no_count() end
local stale = fence(sharding, sharding_text, leases)
if stale then return stale end

local looked_at, busy, bytes, found, hold_put = 0, 0, 0, {}, {}
while looked_at < count and bytes <= most_bytes do
  local id = ARGV[FIRST + looked_at * STEP]
  looked_at = looked_at + 1
  local envelope = redis.call('HGET', tasks, id)
  local live = redis.call('ZSCORE', index, id)
  local score = live or redis.call('ZSCORE', dead, id)
  if envelope and score then
    if redis.call('HGET', leases, id) or held_until(holds, id, now) then
      busy = busy + 1
    else
      local at = #found
      found[at + 1], found[at + 2] = id, live and 'I' or 'D'
      found[at + 3] = score_text(attention(score))
      local record = redis.call('HGET', attempts, id) or ''
      found[at + 4], found[at + 5] = envelope, record
      bytes = bytes + #envelope + #record
    end
  end
end

local batch = ''
if #found > 0 then
  allow_writes_when_full(leases)
  batch = text(token_after(last_token, micros))
  redis.call('SET', token, batch)
  for i = 1, #found, 5 do
    append(hold_put, found[i], '1:' .. batch .. ':' .. text(deadline))
  end
  redis.call('HSET', holds, unpack(hold_put))
end
return { batch, text(deadline), looked_at, busy, found }
