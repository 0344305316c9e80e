-- due_counts: counts live tasks by when they next need attention, in slices of equal width.
-- KEYS[1] index  ZSET  id -> next moment of attention
-- ARGV[1] from    epoch ms, start of the first slice
-- ARGV[2] width   ms, width of a slice
-- ARGV[3] slices  1 to 500
-- Returns [1] tasks before the first slice, including those put aside, which are due; then the count of each slice,
--         including its first moment and excluding its last; then the tasks after the last slice
-- Cost: O(slices log N)
local index = KEYS[1]
local from, width, slices = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])

local aside = redis.call('ZCOUNT', index, text(ASIDE), text(ASIDE + MAX_DUE))
local counts = { redis.call('ZCOUNT', index, '-inf', '(' .. text(from)) + aside }
for slice = 1, slices do
  local first = from + (slice - 1) * width
  counts[slice + 1] = redis.call('ZCOUNT', index, text(first), '(' .. text(first + width))
end
counts[slices + 2] = redis.call('ZCOUNT', index, text(from + slices * width), '+inf') - aside
return counts
