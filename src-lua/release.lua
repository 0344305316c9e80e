-- release: ends leases without counting an attempt. The tasks are due as before.
-- KEYS[1] index   ZSET  id -> when the task is due or its lease ends, epoch ms
-- KEYS[2] leases  HASH  id -> lease record
-- KEYS[3] turns   ZSET  key -> its turn: when its next waiting task may be acquired, epoch ms. A fraction of .5 marks a
--                       key that waits for a delivery to end
-- KEYS[4] running HASH  key -> ids of its deliveries in progress, separated by \0
-- ARGV[1]    clock_offset  ms to add to the server's clock; 0 except in tests
-- ARGV[2]    wake_channel  channel for wake signals; '' for none
-- ARGV[3]    shard         number of the shard, sent as the wake signal
-- ARGV[4...] 2 for each lease: id; token. At most 500; the ids must differ
-- Returns for each lease
--         1: released
--         0: nothing was changed, because the lease has another token or no longer exists
-- Cost: O(n log N)
local head = earliest(index)
local ids = {}
for i = 1, count do ids[i] = ARGV[FIRST + (i - 1) * STEP] end
local lease_records = redis.call('HMGET', leases, unpack(ids))
local any_key = redis.call('HLEN', running) + redis.call('ZCARD', turns) > 0

local reply, released, has_ended, index_put = {}, {}, {}, {}
local soonest = nil
for i = 1, count do
  local token, deadline, due = parse_lease(lease_records[i])
  if token ~= ARGV[FIRST + (i - 1) * STEP + 1] then
    reply[i] = 0
  else
    reply[i] = 1
    released[#released + 1], has_ended[i] = ids[i], true
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
if any_key and end_deliveries(turns, running, ids, lease_records, has_ended, clock_offset) then
  wake(wake_channel, shard)
end
return reply
