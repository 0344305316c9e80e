-- release: releases leases unused. The tasks are due as before, without counting an attempt.
-- KEYS[1] index   ZSET  id -> next moment of attention
-- KEYS[2] leases  HASH  id -> lease record
-- ARGV[1] wake_channel  name, '' for none
-- ARGV[2] shard         number, the wake message
-- ARGV[3...]            two for each lease, at most 500, with different ids: id; token
-- Returns for each lease 1 (released) or 0 (the token is not the stored one; nothing was changed)
-- Cost: O(n log N)
local index, leases = KEYS[1], KEYS[2]
local wake_channel, shard = ARGV[1], ARGV[2]

local FIRST, STEP = 3, 2
local count = (#ARGV - FIRST + 1) / STEP
local head = earliest(index)
local ids = {}
for i = 1, count do ids[i] = ARGV[FIRST + (i - 1) * STEP] end
local lease_records = redis.call('HMGET', leases, unpack(ids))

local reply, released, index_put = {}, {}, {}
local soonest = nil
for i = 1, count do
  local token, deadline, due = parse_lease(lease_records[i])
  if token ~= ARGV[FIRST + (i - 1) * STEP + 1] then
    reply[i] = 0
  else
    reply[i] = 1
    released[#released + 1] = ids[i]
    index_put[#index_put + 1] = text(due)
    index_put[#index_put + 1] = ids[i]
    if not soonest or due < soonest then soonest = due end
  end
end

if #released > 0 then
  allow_writes_when_full(leases)
  redis.call('ZADD', index, unpack(index_put))
  redis.call('HDEL', leases, unpack(released))
  if not head or soonest < head then wake(wake_channel, shard) end
end
return reply
