-- history_page: reads what became of a task, the newest first, looking at a bounded number of entries.
-- KEYS[1] history   STREAM  what became of tasks
-- ARGV[1] cursor  entry at which the call before ended, behind which to go on; '' to begin
-- ARGV[2] count   entries to look at at most
-- ARGV[3] id
-- Returns [1] the entry that was looked at last where more may follow, or ''; [2] how many were looked at; [3] those of the
--         task, four for each: when, epoch ms; event; reason, '' for none; process, '' where it is not known
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
