-- rates_read: reads what was counted in some minutes.
-- KEYS[1] rates  HASH  minute of the day -> what was counted, as rates_add says
-- ARGV[1] first_minute  since 1970
-- ARGV[2] last_minute   since 1970, less than a day later
-- Returns the records of those minutes in which anything was counted, the earliest first
-- Cost: O(m), m minutes
local rates = KEYS[1]
local first_minute, last_minute = tonumber(ARGV[1]), tonumber(ARGV[2])

local SLOTS, MOST = 1440, 500
local records = {}
for begin = first_minute, math.min(last_minute, first_minute + SLOTS - 1), MOST do
  local slots = {}
  for minute = begin, math.min(last_minute, begin + MOST - 1) do slots[#slots + 1] = text(minute % SLOTS) end
  local found = redis.call('HMGET', rates, unpack(slots))
  for i, record in ipairs(found) do
    local head = '1:' .. text(begin + i - 1) .. ':'
    if record and string.sub(record, 1, #head) == head then records[#records + 1] = record end
  end
end
return records
