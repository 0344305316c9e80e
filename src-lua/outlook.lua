-- outlook: counts the tasks of a shard for gauges: those that are there, and those that become due soon.
-- KEYS[1] index   ZSET    id -> next moment of attention
-- KEYS[2] leases  HASH    id -> lease record
-- KEYS[3] dead    ZSET    id -> time of death
-- KEYS[4] paused  STRING  1:<since when, epoch ms>, there while the queue is paused
-- ARGV[1] clock_offset  ms, 0 but in tests
-- ARGV[2...]            one for each moment to look ahead to, a few: ms from now
-- Returns [1] live tasks; [2] of them due, with those whose lease ran out; [3] leased; [4] dead; [5] 1 if the queue is
--         paused, or 0; [6] ms that the longest due task waits, 0 if none is due; then for each ARGV from the second on
--         how many live tasks need attention between now and then
-- Cost: O(log N)
local index, leases, dead, paused = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local clock_offset = ARGV[1]

local FIRST, STEP = 2, 1
local micros, now = read_clock(clock_offset)
local head = earliest(index)
local reply = { text(redis.call('ZCARD', index)), text(redis.call('ZCOUNT', index, '-inf', text(now))),
  text(redis.call('HLEN', leases)), text(redis.call('ZCARD', dead)), text(redis.call('EXISTS', paused)),
  text((head and head < now) and now - tonumber(moment(head)) or 0) }
for i = FIRST, #ARGV, STEP do
  reply[#reply + 1] = text(redis.call('ZCOUNT', index, '(' .. text(now), text(now + tonumber(ARGV[i]))))
end
return reply
