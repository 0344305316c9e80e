-- keys_waiting: reads the keys that have held-back tasks, in the order of their bytes.
-- KEYS[1] waiting  ZSET  <key>\0<due ms, 13 digits>\0<id> for each task that is held back; all scores are 0
-- KEYS[2] turns    ZSET  key -> its turn: when its next waiting task may be acquired, epoch ms. A fraction of .5 marks
--                        a key that waits for a delivery to end
-- ARGV[1] id_prefix  prefix that all ids of the key have, to read one key; '' to read all keys
-- ARGV[2] cursor     cursor that the previous call returned; '' for the first call
-- ARGV[3] count      NUMBER maximum number of keys to read
-- Returns [1] cursor for the next call; '' after the last key
--         [2] three values for each of the ten keys with the most held-back tasks: key; number of these tasks; turn of
--             the key, epoch ms
-- Cost: O(count log N)

local MOST = 10
local one = id_prefix ~= '' and (key_of(id_prefix) or id_prefix)
local from, to = cursor ~= '' and '[' .. cursor .. '\1' or '-', '+'
if one then from, to = '[' .. one .. '\0', '(' .. one .. '\1' end
local found, last = {}, ''
for _ = 1, count do
  local first = redis.call('ZRANGE', waiting, from, to, 'BYLEX', 'LIMIT', '0', '1')[1]
  last = first and string.match(first, '^[^%z]*') or ''
  if last == '' then break end
  from = '[' .. last .. '\1'
  -- A key without a turn has no waiting tasks, only members of deleted tasks.
  local turn = redis.call('ZSCORE', turns, last)
  if turn then
    found[#found + 1] = { last, redis.call('ZLEXCOUNT', waiting, '[' .. last .. '\0', '(' .. last .. '\1'), turn }
  end
  if one then break end
end
table.sort(found, function(a, b) return a[2] > b[2] end)
local reply = {}
for i = 1, math.min(#found, MOST) do
  reply[#reply + 1], reply[#reply + 2], reply[#reply + 3] = found[i][1], text(found[i][2]), moment(found[i][3])
end
return { one and '' or last, reply }
