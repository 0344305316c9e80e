-- reclaim: releases the leases of acquires whose replies were lost.
-- The tasks are due as before, and no attempt is counted. The caller must not have an acquire in progress in this
-- shard. Otherwise it would not know the tokens of all its leases.
-- KEYS[1] index   ZSET  id -> when the task is due or its lease ends, epoch ms
-- KEYS[2] leases  HASH  id -> lease record
-- ARGV[1]    wake_channel  channel for wake signals; '' for none
-- ARGV[2]    shard         number of the shard, sent as the wake signal
-- ARGV[3]    holder        holder of the leases
-- ARGV[4]    cursor        cursor that the previous call returned; '0' to start
-- ARGV[5]    above         NUMBER leases with this token or a lower one stay
-- ARGV[6...] 1 for each token: leases with this token also stay. At most 10,000
-- Returns [1] cursor for the next call; '0' at the end
--         [2] number of leases that were released
-- Cost: O(log N) for each lease of a step, which reads 200 leases, or all if there are few

local is_known = {}
for i = FIRST, #ARGV, STEP do is_known[ARGV[i]] = true end
local head = earliest(index)
local page = redis.call('HSCAN', leases, cursor, 'COUNT', '200')
local lost, index_put, soonest = {}, {}, nil
for i = 1, #page[2], 2 do
  local token, deadline, due, waits, held_by = parse_lease(page[2][i + 1])
  if token and held_by == '@' .. holder and tonumber(token) > above and not is_known[token] then
    lost[#lost + 1] = page[2][i]
    append(index_put, text(due), page[2][i])
    if not soonest or due < soonest then soonest = due end
  end
end

if #lost > 0 then
  allow_writes_when_full(leases)
  redis.call('ZADD', index, unpack(index_put))
  redis.call('HDEL', leases, unpack(lost))
  if not head or soonest < head then wake(wake_channel, shard) end
end
return { page[1], #lost }
