-- pace: reserves moments at which tasks of a queue become due at a limited rate, after earlier reservations.
--       A repeated call reserves again: some moments stay unused, and the rate is kept.
-- KEYS[1] pace  STRING  1:<first free moment, epoch microseconds>
-- ARGV[1] clock_offset  ms, 0 except in tests
-- ARGV[2] span          microseconds to reserve
-- Returns the first reserved moment, epoch microseconds
-- Cost: O(1)
local pace = KEYS[1]
local clock_offset, span = ARGV[1], tonumber(ARGV[2])

-- A year in microseconds. A reservation further ahead is ignored.
local LONGEST = 31536000000000
local micros = read_clock(clock_offset)
local free = tonumber(string.match(redis.call('GET', pace) or '', '^1:(%d+)$') or 0)
local first = free <= micros + LONGEST and math.max(free, micros) or micros
-- A full Redis refuses a script whose first write could add data, so a removal comes first.
redis.call('DEL', pace)
redis.call('SET', pace, '1:' .. text(first + span))
return text(first)
