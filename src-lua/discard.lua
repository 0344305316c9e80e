-- discard: deletes dead tasks. Live tasks are not changed, nor tasks that died again if the death is given.
-- KEYS[1] tasks     HASH  id -> envelope
-- KEYS[2] leases    HASH  id -> lease record
-- KEYS[3] attempts  HASH  id -> attempts record
-- KEYS[4] dead      ZSET  id -> time of death
-- KEYS[5] holds      HASH    id -> hold, while tasks migrate to another shard
-- KEYS[6] sharding   STRING  newest sharding passed by a caller
-- KEYS[7] history   STREAM  history of tasks; not written if the queue keeps none
-- KEYS[8] groups     ZSET    ids of tasks with a group; those of dead tasks have the prefix D
-- ARGV[1] clock_offset  ms, 0 except in tests
-- ARGV[2] sharding_text the caller's sharding, '' for none
-- ARGV[3] history_kept  number of history entries to keep, a space and the name of this process; '' for no history
-- ARGV[4...]            two for each task, at most 500, with different ids: id; time of death in ms, '' for any
-- Returns for each task 1 (deleted) or 0 (not dead, or another death; nothing was changed); the error MIGRATING if one
--         is migrating to another shard, SHARDING with the newer sharding if the caller's is older, and nothing was
--         changed
-- Cost: O(n log N)
local tasks, leases, attempts, dead, holds, sharding, history, groups =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8]
local clock_offset, sharding_text, history_kept = ARGV[1], ARGV[2], ARGV[3]

local FIRST, STEP = 4, 2
local count = (#ARGV - FIRST + 1) / STEP
redis.call('HLEN', tasks)
redis.call('HLEN', attempts)
redis.call('ZCARD', groups)
local any_hold = redis.call('HLEN', holds) > 0
local micros, now = read_clock(clock_offset)

local verdicts, gone = {}, {}
for i = 1, count do
  local at = FIRST + (i - 1) * STEP
  local id, named = ARGV[at], ARGV[at + 1]
  local died = redis.call('ZSCORE', dead, id)
  verdicts[i] = died and (named == '' or moment(died) == named) and 1 or 0
  if verdicts[i] == 1 then
    if any_hold and held_until(holds, id, now) then return redis.error_reply('MIGRATING to another shard') end
    gone[#gone + 1] = id
  end
end
local stale = fence(sharding, sharding_text, leases)
if stale then return stale end

if #gone > 0 then
  delete_tasks(gone, dead, groups, DEAD, tasks, attempts, any_hold and holds)
  local note = chronicle(history, history_kept)
  for i = 1, #gone do note(gone[i], 'discarded', '') end
end
return verdicts
