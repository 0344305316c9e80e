-- migration_end: ends holds. Deletes the tasks that another shard has stored, or releases the tasks that stay.
-- KEYS[1] index     ZSET  id -> when the task is due or its lease ends, epoch ms
-- KEYS[2] tasks     HASH  id -> envelope
-- KEYS[3] attempts  HASH  id -> attempts record
-- KEYS[4] dead      ZSET  id -> time of death, epoch ms; plus QUARANTINED for a quarantined task
-- KEYS[5] holds     HASH  id -> hold
-- KEYS[6] groups    ZSET  ids of tasks that have a group; the prefix D marks dead tasks
-- ARGV[1]    wake_channel  channel for wake signals; '' for none
-- ARGV[2]    shard         number of the shard, sent as the wake signal
-- ARGV[3]    token         token of the holds
-- ARGV[4]    verb          MIGRATED to delete the tasks, BACK to release them
-- ARGV[5...] 1 for each task: id. At most 500; the ids must differ
-- Returns for each task
--         1: done
--         0: nothing was changed, because this hold no longer exists
-- Cost: O(n log N)

check_types({ index, dead, groups }, { tasks, attempts })
local verdicts, ended = {}, {}
for i = 1, count do
  local id = ARGV[FIRST + (i - 1) * STEP]
  verdicts[i] = string.match(redis.call('HGET', holds, id) or '', '^1:(%d+):%d+$') == token and 1 or 0
  if verdicts[i] == 1 then ended[#ended + 1] = id end
end

if #ended > 0 then
  if verb == 'MIGRATED' then
    delete_tasks(ended, index, groups, LIVE, tasks, attempts)
    delete_tasks(ended, dead, groups, DEAD)
  else
    wake(wake_channel, shard)
  end
  redis.call('HDEL', holds, unpack(ended))
end
return verdicts
