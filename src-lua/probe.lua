-- probe: calls every command that the other scripts use, and leaves nothing behind.
-- It creates data only after the command that deletes the data has worked.
-- KEYS[1] probe_text  STRING  exists only inside this script
-- KEYS[2] probe_hash  HASH    exists only inside this script
-- KEYS[3] probe_set   ZSET    exists only inside this script
-- ARGV[1]    channel  name of a wake channel without listeners
-- ARGV[2...] 5 for each of at most 500 made-up tasks: strings. The first of the five must differ from task to task
-- Returns [1] number of arguments that were received
--         [2] two values for each command that failed: name; reply of the server
-- Cost: O(n log n), n tasks

local failed = {}

local function works(command, reply)
  if type(reply) ~= 'table' or not reply.err then return true end
  append(failed, command, reply.err)
  return false
end

local fields, members, ids = {}, {}, {}
for i = FIRST, #ARGV, STEP do
  ids[#ids + 1] = ARGV[i]
  fields[#fields + 1], members[#members + 1] = ARGV[i], #ids
  fields[#fields + 1], members[#members + 1] = '', ARGV[i]
end

works('TIME', redis.pcall('TIME'))
works('GET', redis.pcall('GET', probe_text))
works('EXISTS', redis.pcall('EXISTS', probe_text))
works('HGET', redis.pcall('HGET', probe_hash, 'id'))
works('HMGET', redis.pcall('HMGET', probe_hash, unpack(ids)))
works('HLEN', redis.pcall('HLEN', probe_hash))
works('HSCAN', redis.pcall('HSCAN', probe_hash, '0', 'COUNT', '1'))
works('ZCARD', redis.pcall('ZCARD', probe_set))
works('ZCOUNT', redis.pcall('ZCOUNT', probe_set, '-inf', '+inf'))
works('ZLEXCOUNT', redis.pcall('ZLEXCOUNT', probe_set, '-', '+'))
works('ZRANGE', redis.pcall('ZRANGE', probe_set, '0', '0', 'WITHSCORES'))
works('ZRANGEBYSCORE', redis.pcall('ZRANGEBYSCORE', probe_set, '-inf', '+inf', 'LIMIT', '0', '1'))
works('ZRANK', redis.pcall('ZRANK', probe_set, 'id'))
works('ZSCORE', redis.pcall('ZSCORE', probe_set, 'id'))
works('XREVRANGE', redis.pcall('XREVRANGE', probe_text, '+', '-', 'COUNT', '1'))
works('XRANGE', redis.pcall('XRANGE', probe_text, '-', '+', 'COUNT', '1'))
works('XADD', redis.pcall('XADD', probe_text, 'NOMKSTREAM', '*', 'id', ''))
works('XDEL', redis.pcall('XDEL', probe_text, '0-1'))
works('PUBLISH', redis.pcall('PUBLISH', channel, ''))

-- There is nothing to delete yet, but a full Redis accepts the script because its first write cannot add data.
local deletes = works('DEL', redis.pcall('DEL', probe_text, probe_hash, probe_set))
local empties_hash = works('HDEL', redis.pcall('HDEL', probe_hash, unpack(ids)))
local empties_set = works('ZREM', redis.pcall('ZREM', probe_set, unpack(ids)))
works('SET', redis.pcall('SET', probe_text, '1', 'PX', '1'))
if deletes or empties_hash then works('HSET', redis.pcall('HSET', probe_hash, unpack(fields))) end
if deletes or empties_set then works('ZADD', redis.pcall('ZADD', probe_set, unpack(members))) end
works('PEXPIRE', redis.pcall('PEXPIRE', probe_text, '0')) -- Deletes the key at once.
if deletes then
  redis.pcall('DEL', probe_text, probe_hash, probe_set)
else
  if empties_hash then redis.pcall('HDEL', probe_hash, unpack(ids)) end
  if empties_set then redis.pcall('ZREM', probe_set, unpack(ids)) end
end
return {#ARGV, failed}
