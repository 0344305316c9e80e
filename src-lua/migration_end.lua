-- migration_end: ends holds: deletes the tasks that another shard has accepted, or releases them.
-- KEYS[1] index      ZSET  id -> next moment of attention
-- KEYS[2] tasks      HASH  id -> envelope
-- KEYS[3] attempts   HASH  id -> attempts record
-- KEYS[4] dead       ZSET  id -> time of death
-- KEYS[5] holds      HASH  id -> hold
-- KEYS[6] groups  ZSET  ids of tasks with a group; those of dead tasks have the prefix D
-- ARGV[1] wake_channel  name, '' for none
-- ARGV[2] shard         number, the wake message
-- ARGV[3] token         token of the holds
-- ARGV[4] verb          MIGRATED (delete the tasks) or BACK (keep them)
-- ARGV[5...]            one for each task, at most 500, all different: id
-- Returns for each task 1 (done) or 0 (the hold no longer exists; nothing was changed)
-- Cost: O(n log N)
local index, tasks, attempts, dead, holds, groups = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local wake_channel, shard, token, verb = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local FIRST, STEP = 5, 1
local count = (#ARGV - FIRST + 1) / STEP
redis.call('ZCARD', index)
redis.call('ZCARD', dead)
redis.call('HLEN', tasks)
redis.call('ZCARD', groups)
redis.call('HLEN', attempts)
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
