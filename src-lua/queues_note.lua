-- queues_note: notes the queues of a process with their settings, and reads the notes of all processes.
-- KEYS[1] queues  HASH  <queue> <delivers: 1 or 0> <settings> -> 1:<last note, epoch ms>:<process>
-- ARGV[1]    clock_offset  ms to add to the server's clock; 0 except in tests
-- ARGV[2]    process       name of the caller
-- ARGV[3]    gone_after    NUMBER a process counts as gone after this many ms without a note; 0 to only write
-- ARGV[4]    last_kept     NUMBER ms to keep the last note of a queue
-- ARGV[5...] 3 for each queue, at most 500: name; 1 if the process delivers its tasks, otherwise 0; settings
-- Returns five values for each note: queue; 1 if the process delivers its tasks, otherwise 0; settings; process; 1 if a
--         live process has these settings, otherwise 0. No values if gone_after is 0
-- Cost: O(n), where n is the number of different settings, over all queues

local PAGES, MOST_OUT, KEPT = 20, 500, 600000
local micros, now = read_clock(clock_offset)
local put, notes, newest, out, reply = {}, {}, {}, {}, {}
-- Processes with the same settings share a field, so the hash does not grow with the number of processes.
for i = FIRST, #ARGV, STEP do
  append(put, ARGV[i] .. ' ' .. ARGV[i + 1] .. ' ' .. ARGV[i + 2], '1:' .. text(now) .. ':' .. process)
end
send('HSET', queues, put)
redis.call('PEXPIRE', queues, text(last_kept))
if gone_after == 0 then return reply end

each_field(queues, PAGES, function(field, note)
  local queue, delivers, settings = string.match(field, '^([^ ]+) ([01]) (.+)$')
  local noted, by = string.match(note, '^1:(%d+):(.+)$')
  noted = tonumber(noted or '')
  if queue and noted then
    local kind = queue .. ' ' .. delivers
    newest[kind] = math.max(newest[kind] or 0, noted)
    notes[#notes + 1] = { field, kind, noted, { queue, delivers, settings, by } }
  end
end)

-- Keep the last note of a queue, so that the queue stays known without processes.
for i = 1, #notes do
  local field, kind, noted, values = unpack(notes[i])
  local age = now - noted
  if age > (noted == newest[kind] and last_kept or KEPT) and #out < MOST_OUT then
    out[#out + 1] = field
  else
    for j = 1, 4 do reply[#reply + 1] = values[j] end
    reply[#reply + 1] = age < gone_after and '1' or '0'
  end
end
send('HDEL', queues, out)
return reply
