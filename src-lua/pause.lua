-- pause: pauses or resumes a shard.
-- While a shard is paused, no process acquires its tasks. Existing leases stay. A pause may have an end. Resuming a
-- shard wakes the pollers. Pausing a paused shard keeps the start, and replaces the end and the note. If the
-- call has neither an end nor a note, it removes the end and keeps the note.
-- KEYS[1] leases  HASH    id -> lease record
-- KEYS[2] paused  STRING  1:<start, epoch ms>[:<end, epoch ms, 0 for none>:<note>]; absent if the queue is not paused
-- ARGV[1] clock_offset  ms to add to the server's clock; 0 except in tests
-- ARGV[2] wake_channel  channel for wake signals; '' for none
-- ARGV[3] shard         number of the shard, sent as the wake signal
-- ARGV[4] wanted        1 to pause, 0 to resume
-- ARGV[5] until_text    when the pause ends: epoch ms, or a plus sign and a delay in ms; '' for no end
-- ARGV[6] pause_note    who paused it and why; '' for none
-- Returns 1: the shard was running and is paused, or was paused and is running
--         0: the shard was in this state already
-- Cost: O(1)

local micros, now = read_clock(clock_offset)
redis.call('HLEN', leases)
local record = redis.call('GET', paused)
local ends = paused_until(record, now)
if wanted == '0' then
  if not record then return 0 end
  allow_writes_when_full(leases)
  redis.call('DEL', paused)
  wake(wake_channel, shard)
  return ends and 1 or 0
end
if ends and until_text == '' and pause_note == '' then pause_note = string.match(record, '^1:%d+:%d+:(.*)$') or '' end
local till = until_text ~= '' and math.min(due_at(micros, until_text), MAX_DUE) or nil
if till and till <= now then return 0 end
local value = '1:' .. (ends and string.match(record, '^1:(%d+)') or text(now))
if till or pause_note ~= '' then value = value .. ':' .. (till and text(till) or '0') .. ':' .. pause_note end
if value == record then return 0 end
allow_writes_when_full(leases)
if till then
  redis.call('SET', paused, value, 'PX', text(till - now))
  -- Wake the pollers, so that they learn when the pause ends.
  wake(wake_channel, shard)
else
  redis.call('SET', paused, value)
end
return ends and 0 or 1
