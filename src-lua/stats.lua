-- stats: counts the tasks of a shard.
-- KEYS[1] index   ZSET    id -> when the task is due or its lease ends, epoch ms
-- KEYS[2] leases  HASH    id -> lease record
-- KEYS[3] dead    ZSET    id -> time of death, epoch ms; plus QUARANTINED for a quarantined task
-- KEYS[4] paused  STRING  1:<start, epoch ms>[:<end, epoch ms, 0 for none>:<note>]; absent if the queue is not paused
-- KEYS[5] turns   ZSET    key -> its turn: when its next waiting task may be acquired, epoch ms. A fraction of .5 marks
--                         a key that waits for a delivery to end
-- ARGV[1]    clock_offset  ms to add to the server's clock; 0 except in tests
-- ARGV[2...] 1 for each of zero or more look-aheads: its end, in ms from now
-- Returns [1] number of live tasks
--         [2] number of due tasks, including those with an expired lease
--         [3] number of leased tasks
--         [4] number of dead tasks, including quarantined ones
--         [5] earliest score in the index or turn of a key, epoch ms; '' for none
--         [6] the pause as stored; '' if the queue is not paused
--         [7] the server's clock, epoch ms
--         [8] number of quarantined tasks
--         [9] number of live tasks that are held back until their keys' turns; [2] does not count them
--         after these, for each look-ahead, the number of live tasks whose score lies between now and its end
-- Cost: O(n log N), n look-aheads

local micros, now = read_clock(clock_offset)
local head = earliest(index)
local aside = head and redis.call('ZCOUNT', index, text(ASIDE), text(ASIDE + MAX_DUE)) or 0
local turn = aside > 0 and redis.call('ZRANGE', turns, '0', '0', 'WITHSCORES')[2]
local pause = redis.call('GET', paused)
local is_aside = head and head >= ASIDE and head <= ASIDE + MAX_DUE
local first = math.min(head and not is_aside and head or math.huge, turn and math.max(now, turn) or math.huge)
local reply = { text(redis.call('ZCARD', index)), text(redis.call('ZCOUNT', index, '-inf', '(' .. text(now + 1))),
  text(redis.call('HLEN', leases)), text(redis.call('ZCARD', dead)), first < math.huge and moment(first) or '',
  paused_until(pause, now) and pause or '', text(now),
  text(redis.call('ZCOUNT', dead, text(QUARANTINED), '+inf')), text(aside) }
for i = FIRST, #ARGV, STEP do
  reply[#reply + 1] = text(redis.call('ZCOUNT', index, text(now + 1), '(' .. text(now + tonumber(ARGV[i]) + 1)))
end
return reply
