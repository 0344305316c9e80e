-- rate_take: takes tokens of a queue's rate, one for each task to acquire, and returns unused ones.
-- It uses the generic cell rate algorithm (ITU-T I.371). If a reply is lost, its tokens are lost too, so the rate is
-- never exceeded.
-- KEYS[1] flow  STRING  1:<theoretical arrival time, epoch us>; has no effect once it has passed; expires
-- ARGV[1] clock_offset  ms to add to the server's clock; 0 except in tests
-- ARGV[2] interval_ns   NUMBER nanoseconds between two tasks
-- ARGV[3] burst         NUMBER maximum number of tokens that can be taken at once
-- ARGV[4] asked         NUMBER maximum number of tokens to take
-- ARGV[5] unused        NUMBER number of tokens to return
-- ARGV[6] taken_at      NUMBER server's clock when the unused tokens were taken, epoch us. The time since then is
--                       not returned: other callers may have used it
-- Returns [1] number of tokens taken
--         [2] if none was taken, microseconds until half a burst is available; otherwise 0
--         [3] the server's clock, epoch us
-- Cost: O(1)

local micros = read_clock(clock_offset)
local interval = interval_ns / 1000
local stored = tonumber(string.match(redis.call('GET', flow) or '', '^1:(%d+)$') or 0)
-- A stored time that is further in the future than the burst allows comes from a slower rate, or from a clock that was
-- set back.
local returned = math.max(0, unused * interval - math.max(0, micros - taken_at))
local ahead = math.max(0, math.min(stored - micros, burst * interval) - returned)
local tokens = math.max(0, math.min(asked, math.floor(burst - ahead / interval + 0.000001)))
local wait = tokens == 0 and asked > 0 and ahead - math.floor(burst / 2) * interval or 0
ahead = ahead + tokens * interval
-- Delete first: a full Redis refuses a script whose first write could add data.
redis.call('DEL', flow)
if ahead > 0 then
  redis.call('SET', flow, '1:' .. text(math.ceil(micros + ahead)), 'PX', text(math.max(60000, math.ceil(ahead / 1000) + 1000)))
end
return { text(tokens), text(math.ceil(math.max(0, wait))), text(micros) }
