-- due_counts: counts live tasks by when they need attention next, in slices of equal width.
-- KEYS[1] index  ZSET  id -> next moment of attention
-- ARGV[1] from    epoch ms, the moment at which the first slice begins
-- ARGV[2] width   ms, of a slice
-- ARGV[3] slices  1 to 500
-- Returns [1] tasks before the first slice; then one count for each slice, with its first moment and without its last;
--         then the tasks behind the last slice
-- Cost: O(slices log N)
local index = KEYS[1]
local from, width, slices = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])

local counts = { redis.call('ZCOUNT', index, '-inf', '(' .. text(from)) }
for slice = 1, slices do
  local first = from + (slice - 1) * width
  counts[slice + 1] = redis.call('ZCOUNT', index, text(first), '(' .. text(first + width))
end
counts[slices + 2] = redis.call('ZCOUNT', index, text(from + slices * width), '+inf')
return counts
