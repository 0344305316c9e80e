-- renew: extends leases, and never shortens one.
-- KEYS[1] index   ZSET  id -> when the task is due or its lease ends, epoch ms
-- KEYS[2] leases  HASH  id -> lease record
-- ARGV[1]    clock_offset  ms to add to the server's clock; 0 except in tests
-- ARGV[2]    lease         NUMBER ms from now until the lease ends
-- ARGV[3...] 2 for each lease: id; token. At most 500; the ids must differ
-- Returns for each lease
--         1: extended
--         2: extended, but the task was scheduled or rescheduled during the delivery and waits for the lease to end
--         0: nothing was changed, because the lease has another token or no longer exists
-- Cost: O(n log N)

local micros, now = read_clock(clock_offset)
-- With a much later deadline, the lease record would be unreadable and the lease could not be ended.
local deadline = math.min(now + lease, MAX_DUE)
redis.call('ZCARD', index)
local ids = {}
for i = 1, count do ids[i] = ARGV[FIRST + (i - 1) * STEP] end
local lease_records = redis.call('HMGET', leases, unpack(ids))

local reply, lease_put, index_put = {}, {}, {}
for i = 1, count do
  local token, held_deadline, due, waits, holder = parse_lease(lease_records[i])
  if token ~= ARGV[FIRST + (i - 1) * STEP + 1] then
    reply[i] = 0
  else
    reply[i] = waits and 2 or 1
    if deadline > held_deadline then
      append(lease_put, ids[i], lease_record(waits and token .. 'w' or token, text(deadline), text(due), holder))
      append(index_put, text(waits and math.max(due, deadline) or deadline), ids[i])
    end
  end
end

if #lease_put > 0 then
  allow_writes_when_full(leases)
  redis.call('HSET', leases, unpack(lease_put))
  redis.call('ZADD', index, unpack(index_put))
end
return reply
