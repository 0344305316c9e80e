-- history_page: reads the history of a task, newest first, from a limited number of entries.
-- KEYS[1] history   STREAM  history of tasks
-- ARGV[1] cursor  last entry of the previous call; '' to start
-- ARGV[2] count   maximum number of entries to read
-- ARGV[3] id
-- Returns [1] the last entry read if more may follow, otherwise ''; [2] number of entries read; [3] entries of the
--         task, four for each: when, epoch ms; event; reason, '' for none; process, '' if unknown
-- Cost: O(count)
local history = KEYS[1]
local cursor, count, id = ARGV[1], tonumber(ARGV[2]), ARGV[3]

local newest = cursor == '' and '+' or '(' .. cursor
local entries = redis.call('XREVRANGE', history, newest, '-', 'COUNT', count)
local found = {}
for i = 1, #entries do
  local fields = entries[i][2]
  if fields[1] == 'id' and fields[2] == id then
    found[#found + 1], found[#found + 2] = string.match(entries[i][1], '^%d+'), fields[4] or ''
    found[#found + 1], found[#found + 2] = fields[6] or '', fields[8] or ''
  end
end
return { #entries == count and entries[count][1] or '', #entries, found }
