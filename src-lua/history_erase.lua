-- history_erase: deletes the history entries of some tasks, newest first.
-- KEYS[1] history  STREAM  events of tasks
-- ARGV[1]    cursor  last entry that the previous call read; '' to start
-- ARGV[2]    limit   NUMBER maximum number of entries to read, at most 500
-- ARGV[3]    match   prefix: the texts are prefixes of ids; id: the texts are ids
-- ARGV[4...] 1 for each text: the text. At most 500
-- Returns [1] last entry that was read; '' if no entry follows
--         [2] number of entries that were read
--         [3] number of deleted entries
-- Cost: O(limit)

local texts, lengths = {}, {}
for i = FIRST, #ARGV do
  texts[ARGV[i]] = true
  lengths[#ARGV[i]] = true
end
local function matches(id)
  if match == 'id' then return texts[id] end
  for length in pairs(lengths) do
    if texts[string.sub(id, 1, length)] then return true end
  end
end

local entries = redis.call('XREVRANGE', history, cursor == '' and '+' or '(' .. cursor, '-', 'COUNT', limit)
local gone = {}
for i = 1, #entries do
  local fields = entries[i][2]
  if fields[1] == 'id' and matches(fields[2]) then gone[#gone + 1] = entries[i][1] end
end
if #gone > 0 then redis.call('XDEL', history, unpack(gone)) end
return { #entries == limit and entries[limit][1] or '', #entries, #gone }
