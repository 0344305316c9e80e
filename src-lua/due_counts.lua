-- due_counts: counts live tasks in time slices of equal width, by their scores in the index.
-- KEYS[1] index  ZSET  id -> when the task is due or its lease ends, epoch ms
-- ARGV[1] from    NUMBER start of the first slice, epoch ms
-- ARGV[2] width   NUMBER width of a slice, ms
-- ARGV[3] slices  NUMBER number of slices, 1 to 500
-- Returns [1] number of tasks before the first slice. A task that is held back is due and counts here
--         then the number of tasks in each slice. A slice includes its start and excludes its end
--         then the number of tasks after the last slice
-- Cost: O(slices log N)

local aside = redis.call('ZCOUNT', index, text(ASIDE), text(ASIDE + MAX_DUE))
local counts = { redis.call('ZCOUNT', index, '-inf', '(' .. text(from)) + aside }
for slice = 1, slices do
  local first = from + (slice - 1) * width
  counts[slice + 1] = redis.call('ZCOUNT', index, text(first), '(' .. text(first + width))
end
counts[slices + 2] = redis.call('ZCOUNT', index, text(from + slices * width), '+inf') - aside
return counts
