-- task_page: reads a page of live tasks by score, or of dead tasks by time of death, the oldest or the newest first.
-- Quarantined tasks have the highest scores of all dead tasks.
-- KEYS[1] index     ZSET  id -> when the task is due or its lease ends, epoch ms
-- KEYS[2] tasks     HASH  id -> envelope
-- KEYS[3] leases    HASH  id -> lease record
-- KEYS[4] attempts  HASH  id -> attempts record
-- KEYS[5] dead      ZSET  id -> time of death, epoch ms; plus QUARANTINED for a quarantined task
-- ARGV[1] list          LIVE; DEAD, oldest death first; or NEWEST, newest death first
-- ARGV[2] after_moment  score of the last task that the caller has read, or where to start
-- ARGV[3] after_id      id of this task, which may no longer exist; '' to start
-- ARGV[4] before        NUMBER last score; '' for no end. NEWEST includes it, the other lists exclude it
-- ARGV[5] prefix        prefix of the ids to return; '' for all
-- ARGV[6] limit         NUMBER maximum number of tasks to return, 1 to 500
-- ARGV[7] looks         NUMBER maximum number of tasks to read, limit to 500
-- ARGV[8] max_bytes     NUMBER maximum size of the envelopes. The script stops after the task that exceeds it. 0 for no
--                       envelopes
-- Returns [1] score of the last task that was read; '' if no task follows
--         [2] id of this task; '' if no task follows
--         [3] nine values for each task: id; S (scheduled), L (leased) or D (dead); due time in ms, or the score if
--             unknown; score in ms; failures; expired leases; last reason; envelope, '' if not requested; holder of the
--             lease, '' for none
-- Cost: O((log N)^2 + looks)

-- Returns dead tasks with their scores, newest first, at most one more than requested. Starts after the last task that
-- the caller has read, or at its place if it no longer exists.
local function members_before(before_moment, before_id, most)
  local first = 0
  if before_id ~= '' or before_moment ~= '0' then
    first = redis.call('ZCARD', dead) - place_of(dead, before_moment, before_id, 0)
  end
  return redis.call('ZRANGE', dead, first, first + most, 'REV', 'WITHSCORES')
end

check_types({}, { tasks, leases, attempts })
local is_newest = list == 'NEWEST'
local is_dead = is_newest or list == 'DEAD'
local function is_over(score)
  if is_newest then return before and tonumber(score) < before end
  return before and tonumber(score) >= before
end
local members = is_newest and members_before(after_moment, after_id, looks)
  or is_dead and members_behind(dead, after_moment, after_id, looks, 0)
  or live_behind(index, after_moment, after_id, looks)
local found, count, looked, bytes = {}, 0, 0, 0
while looked < looks and 2 * looked < #members and count < limit and bytes <= max_bytes do
  local id, score = members[2 * looked + 1], members[2 * looked + 2]
  if is_over(score) then break end
  if string.sub(id, 1, #prefix) == prefix then
    local lease = not is_dead and redis.call('HGET', leases, id)
    local token, deadline, leased_due, waits, holder = parse_lease(lease)
    local state, record = is_dead and 'D' or lease and 'L' or 'S', redis.call('HGET', attempts, id)
    local envelope = max_bytes > 0 and redis.call('HGET', tasks, id) or ''
    describe(found, id, state, score, leased_due, record, envelope, holder)
    count = count + 1
    bytes = bytes + #envelope
  end
  looked = looked + 1
end
local next_score = members[2 * looked + 2]
if looked == 0 or not next_score or is_over(next_score) then return { '', '', found } end
return { score_text(members[2 * looked]), members[2 * looked - 1], found }
