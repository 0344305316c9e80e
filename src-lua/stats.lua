-- stats: counts the tasks of a shard.
-- KEYS[1] index   ZSET    id -> next moment of attention
-- KEYS[2] leases  HASH    id -> lease record
-- KEYS[3] dead    ZSET    id -> time of death
-- KEYS[4] paused  STRING  1:<since when, epoch ms>, exists while the queue is paused
-- KEYS[5] turns   ZSET    key with waiting tasks -> its turn: when its next task may be acquired, epoch ms
-- ARGV[1] clock_offset  ms, 0 except in tests
-- ARGV[2...]            one for each moment to look ahead to, a few or none: ms from now
-- Returns [1] live tasks; [2] number of those due, including those with an expired lease; [3] leased; [4] dead; [5] earliest
--         moment of attention of a task or turn of a key, epoch ms, '' if none; [6] 1 if the queue is paused, or 0;
--         [7] the server's clock, epoch ms; [8] number of quarantined dead tasks; [9] live tasks that are put aside until
--         their keys' turns, not counted as due; then for each ARGV from the second on how many live tasks need
--         attention between now and then
-- Cost: O(n log N), n moments
local index, leases, dead, paused, turns = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local clock_offset = ARGV[1]

local FIRST, STEP = 2, 1
local micros, now = read_clock(clock_offset)
local head = earliest(index)
local aside = head and redis.call('ZCOUNT', index, text(ASIDE), text(ASIDE + MAX_DUE)) or 0
local turn = aside > 0 and redis.call('ZRANGE', turns, '0', '0', 'WITHSCORES')[2]
local is_aside = head and head >= ASIDE and head <= ASIDE + MAX_DUE
local first = math.min(head and not is_aside and head or math.huge, turn and math.max(now, turn) or math.huge)
local reply = { text(redis.call('ZCARD', index)), text(redis.call('ZCOUNT', index, '-inf', '(' .. text(now + 1))),
  text(redis.call('HLEN', leases)), text(redis.call('ZCARD', dead)), first < math.huge and moment(first) or '',
  text(redis.call('EXISTS', paused)), text(now),
  text(redis.call('ZCOUNT', dead, text(QUARANTINED), '+inf')), text(aside) }
for i = FIRST, #ARGV, STEP do
  reply[#reply + 1] = text(redis.call('ZCOUNT', index, text(now + 1), '(' .. text(now + tonumber(ARGV[i]) + 1)))
end
return reply
