-- renew: extends leases. A lease that already ends later stays unchanged.
-- KEYS[1] index   ZSET  id -> next moment of attention
-- KEYS[2] leases  HASH  id -> lease record
-- ARGV[1] clock_offset  ms, 0 except in tests
-- ARGV[2] lease         ms from now; never beyond the year 9999
-- ARGV[3...]            two for each lease, at most 500, with different ids: id; token
-- Returns for each lease 1 (extended), 2 (extended, but the task was scheduled or rescheduled in the meantime and waits
--         for the end of the lease) or 0 (the token is not the stored one; nothing was changed)
-- Cost: O(n log N)
local index, leases = KEYS[1], KEYS[2]
local clock_offset, lease = ARGV[1], tonumber(ARGV[2])

local FIRST, STEP = 3, 2
local count = (#ARGV - FIRST + 1) / STEP
local micros, now = read_clock(clock_offset)
-- A lease record beyond the year 9999 could not be read, so its lease could not be ended.
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
      lease_put[#lease_put + 1] = ids[i]
      lease_put[#lease_put + 1] = lease_record(waits and token .. 'w' or token, text(deadline), text(due), holder)
      index_put[#index_put + 1] = text(waits and math.max(due, deadline) or deadline)
      index_put[#index_put + 1] = ids[i]
    end
  end
end

if #lease_put > 0 then
  allow_writes_when_full(leases)
  redis.call('HSET', leases, unpack(lease_put))
  redis.call('ZADD', index, unpack(index_put))
end
return reply
