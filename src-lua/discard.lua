-- discard: deletes dead tasks.
-- Live tasks stay. If the caller passes a time of death, a task that has died again since then also stays.
-- KEYS[1] tasks     HASH    id -> envelope
-- KEYS[2] leases    HASH    id -> lease record
-- KEYS[3] attempts  HASH    id -> attempts record
-- KEYS[4] dead      ZSET    id -> time of death, epoch ms; plus QUARANTINED for a quarantined task
-- KEYS[5] holds     HASH    id -> hold, for tasks that are migrating to another shard
-- KEYS[6] sharding  STRING  the newest sharding that a caller has sent
-- KEYS[7] history   STREAM  events of tasks; unused if the queue keeps no history
-- KEYS[8] groups    ZSET    ids of tasks that have a group; the prefix D marks dead tasks
-- ARGV[1]    clock_offset   ms to add to the server's clock; 0 except in tests
-- ARGV[2]    sharding_text  the caller's sharding; '' to skip the check
-- ARGV[3]    history_kept   number of entries to keep, a space and the name of this process; '' to write no history
-- ARGV[4...] 2 for each task: id; time of death in epoch ms, '' for any. At most 500; the ids must differ
-- Returns for each task
--         1: the task is deleted
--         0: nothing was changed. The task is not dead, or died at another time
-- Errors  MIGRATING: one of the tasks is migrating to another shard
--         SHARDING: the caller's sharding is outdated; the message has the newer one
--         On an error the script deletes nothing
-- Cost: O(n log N)

check_types({ groups }, { tasks, attempts })
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
