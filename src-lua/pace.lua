-- pace: reserves a span of time. Tasks of a queue become due in it at a limited rate.
-- A span starts after all earlier ones. If a call is repeated, one span remains unused, but the rate limit still holds.
-- KEYS[1] pace  STRING  1:<end of the last span, epoch microseconds>
-- ARGV[1] clock_offset  ms to add to the server's clock; 0 except in tests
-- ARGV[2] span          NUMBER microseconds to reserve; 0 to reserve nothing
-- Returns [1] start of the span, epoch microseconds
--         [2] the current time, epoch microseconds
-- Cost: O(1)

-- A year in microseconds. The script ignores a stored time that is further in the future.
local LONGEST = 31536000000000
local micros = read_clock(clock_offset)
local free = tonumber(string.match(redis.call('GET', pace) or '', '^1:(%d+)$') or 0)
local first = free <= micros + LONGEST and math.max(free, micros) or micros
if span > 0 then
  -- Delete first: a full Redis refuses a script whose first write could add data.
  redis.call('DEL', pace)
  redis.call('SET', pace, '1:' .. text(first + span))
end
return { text(first), text(micros) }
