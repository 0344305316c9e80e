-- dead_page: reads dead tasks, the longest dead first, a page at a time.
-- KEYS[1] tasks     HASH  id -> envelope
-- KEYS[2] attempts  HASH  id -> attempts record
-- KEYS[3] dead      ZSET  id -> time of death
-- ARGV[1] after_died  epoch ms, time of death of the task at which the page before ended; 0 for the first page
-- ARGV[2] after_id    id of that task, '' for the first page or where it is so; it need not be there any more
-- ARGV[3] limit       tasks at most, 1 to 500
-- ARGV[4] max_bytes   stop after the task with which the envelopes exceed this; 0 for no envelopes
-- Returns [1] 1 if more follow, or 0; [2] the tasks, seven for each: id, time of death ms, due ms (the time of death where
--         it is not known), failures, expired leases, last reason, envelope or '' where none is asked for
-- Cost: O(log N + limit)
local tasks, attempts, dead = KEYS[1], KEYS[2], KEYS[3]
local after_died, after_id, limit, max_bytes = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])

-- By the task rather than by rank, so that pages go on where they ended when tasks of earlier ones are gone. Of those that
-- died in one millisecond with a task that is gone, some may come again; none is left out.
local first = 0
if after_id ~= '' or after_died > 0 then
  local died = redis.call('ZSCORE', dead, after_id)
  if died and moment(died) == text(after_died) then
    first = redis.call('ZRANK', dead, after_id) + 1
  else
    first = redis.call('ZCOUNT', dead, '-inf', '(' .. text(after_died))
  end
end

redis.call('HLEN', tasks)
redis.call('HLEN', attempts)
local members = redis.call('ZRANGE', dead, first, first + limit, 'WITHSCORES')
local found, count, bytes = {}, 0, 0
for i = 1, math.min(#members, 2 * limit), 2 do
  local id, died = members[i], tonumber(members[i + 1])
  local due, failures, expired, uncertain, reason = parse_attempts(redis.call('HGET', attempts, id))
  local envelope = max_bytes > 0 and redis.call('HGET', tasks, id) or ''
  local at = count * 7
  found[at + 1], found[at + 2], found[at + 3] = id, moment(died), due and text(due) or moment(died)
  found[at + 4], found[at + 5] = text(failures or 0), text(expired or 0)
  found[at + 6], found[at + 7] = reason or '', envelope
  count = count + 1
  bytes = bytes + #envelope
  if max_bytes > 0 and bytes > max_bytes then break end
end
return { #members > 2 * count and 1 or 0, found }
