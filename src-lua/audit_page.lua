-- audit_page: reads entries of the audit stream, newest first.
-- KEYS[1] audit  STREAM  audit entries of all queues
-- ARGV[1] after_entry  id of the last entry that the caller has read; '' to start
-- ARGV[2] count        maximum number of entries
-- Returns two values for each entry: its id; the entry as JSON, '' if it has another form
-- Cost: O(count)

local newest = after_entry == '' and '+' or '(' .. after_entry
local entries = redis.call('XREVRANGE', audit, newest, '-', 'COUNT', count)
local page = {}
for i = 1, #entries do
  local fields = entries[i][2]
  append(page, entries[i][1], fields[1] == 'entry' and fields[2] or '')
end
return page
