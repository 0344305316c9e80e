-- history_page: reads entries of the history, newest first, and returns those of one task.
-- KEYS[1] history  STREAM  events of tasks
-- ARGV[1] cursor  last entry that the previous call read; '' to start
-- ARGV[2] count   NUMBER maximum number of entries to read
-- ARGV[3] id
-- Returns [1] last entry that was read; '' if no entry follows
--         [2] number of entries that were read
--         [3] four values for each entry of the task: time in epoch ms; event; reason, '' for none; process, '' if
--             unknown
--         [4] time of the oldest entry of any task, epoch ms; '' for none
-- Cost: O(count)

local newest = cursor == '' and '+' or '(' .. cursor
local entries = redis.call('XREVRANGE', history, newest, '-', 'COUNT', count)
local found = {}
for i = 1, #entries do
  local fields = entries[i][2]
  if fields[1] == 'id' and fields[2] == id then
    append(found, string.match(entries[i][1], '^%d+'), fields[4] or '')
    append(found, fields[6] or '', fields[8] or '')
  end
end
local oldest = redis.call('XRANGE', history, '-', '+', 'COUNT', 1)
local since = oldest[1] and string.match(oldest[1][1], '^%d+') or ''
return { #entries == count and entries[count][1] or '', #entries, found, since }
