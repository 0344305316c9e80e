-- history_erase: deletes the history entries of tasks whose ids start with a prefix, newest first.
-- KEYS[1] history  STREAM  events of tasks
-- ARGV[1] cursor     last entry that the previous call read; '' to start
-- ARGV[2] limit      NUMBER maximum number of entries to read, at most 500
-- ARGV[3] id_prefix  prefix of the ids; '' deletes the entries of all tasks
-- Returns [1] last entry that was read; '' if no entry follows
--         [2] number of deleted entries
-- Cost: O(limit)

local entries = redis.call('XREVRANGE', history, cursor == '' and '+' or '(' .. cursor, '-', 'COUNT', limit)
local gone = {}
for i = 1, #entries do
  local fields = entries[i][2]
  if fields[1] == 'id' and string.sub(fields[2], 1, #id_prefix) == id_prefix then gone[#gone + 1] = entries[i][1] end
end
send('XDEL', history, gone)
return { #entries == limit and entries[limit][1] or '', #gone }
