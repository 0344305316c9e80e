-- due_kinds: counts live tasks in time slices: those in progress, and those that wait for a retry.
-- KEYS[1] index     ZSET  id -> when the task is due or its lease ends, epoch ms
-- KEYS[2] leases    HASH  id -> lease record
-- KEYS[3] attempts  HASH  id -> attempts record
-- ARGV[1] from     NUMBER start of the first slice, epoch ms
-- ARGV[2] width    NUMBER width of a slice, ms
-- ARGV[3] slices   NUMBER number of slices, 1 to 500
-- ARGV[4] cursor   cursor that the previous call returned; 0 for the first call, which also reads the leases
-- ARGV[5] records  approximate number of leases and of attempts records to read
-- Returns [1] cursor for the next call; 0 at the end
--         [2] 0 if the call did not read all leases, otherwise 1
--         then the number of tasks in progress in each slice
--         then the number of tasks that wait for a retry in each slice
-- Cost: O(records log N)

local counts = {}
for i = 1, 2 * slices do counts[i] = 0 end

local function count(id, offset)
  local score = redis.call('ZSCORE', index, id)
  local slice = score and math.floor((math.floor(attention(score)) - from) / width) or -1
  if slice < 0 or slice >= slices then return end
  counts[offset + slice + 1] = counts[offset + slice + 1] + 1
end

local all_leases = 1
if cursor == '0' then
  local found = redis.call('HSCAN', leases, '0', 'COUNT', records)
  all_leases = found[1] == '0' and 1 or 0
  for i = 1, #found[2], 2 do count(found[2][i], 0) end
end

local found = redis.call('HSCAN', attempts, cursor, 'COUNT', records)
for i = 1, #found[2], 2 do
  local due, failures, expired = parse_attempts(found[2][i + 1])
  local has_failed = (failures or 0) + (expired or 0) > 0
  if has_failed and not redis.call('HGET', leases, found[2][i]) then count(found[2][i], slices) end
end

local answer = { found[1], all_leases }
for i = 1, 2 * slices do answer[i + 2] = counts[i] end
return answer
