-- live_page: reads live tasks in the order of their next moments of attention, a page at a time.
-- KEYS[1] index     ZSET  id -> next moment of attention
-- KEYS[2] leases    HASH  id -> lease record
-- KEYS[3] attempts  HASH  id -> attempts record
-- ARGV[1] after_moment  epoch ms, moment of the task that was looked at last, or where to begin
-- ARGV[2] after_id      id of that task, '' to begin; it need not be there any more
-- ARGV[3] before        epoch ms, the moment at which to end
-- ARGV[4] prefix        with which ids begin, '' for all
-- ARGV[5] limit         tasks at most, 1 to 500
-- ARGV[6] looks         tasks to look at at most, limit to 500
-- Returns [1] 1 if more follow before that moment, or 0; [2] moment and [3] id of the last task that was looked at, '' for
--         none; [4] the tasks, seven for each: id, L (leased) or S (scheduled), due ms, moment ms, failures, expired leases,
--         last reason
-- Cost: O(log N + looks)
local index, leases, attempts = KEYS[1], KEYS[2], KEYS[3]
local after_moment, after_id, before, prefix, limit, looks =
  ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])

redis.call('HLEN', leases)
redis.call('HLEN', attempts)

-- The members of the index with their scores, one more than asked for: those behind the task that was looked at last, or from
-- its moment on if that task is gone. A task that moves meanwhile may appear again; none that stays is left out.
local first = 0
local score = after_id ~= '' and redis.call('ZSCORE', index, after_id)
if score and moment(score) == after_moment then
  first = redis.call('ZRANK', index, after_id) + 1
elseif after_moment ~= '0' then
  first = redis.call('ZCOUNT', index, '-inf', '(' .. after_moment)
end
local members = redis.call('ZRANGE', index, first, first + looks, 'WITHSCORES')

local found, count, looked = {}, 0, 0
while looked < looks and 2 * looked < #members and count < limit do
  local id, score = members[2 * looked + 1], members[2 * looked + 2]
  if tonumber(score) >= before then break end
  if string.sub(id, 1, #prefix) == prefix then
    local lease = redis.call('HGET', leases, id)
    local token, deadline, leased_due = parse_lease(lease)
    local first_due, failures, expired, uncertain, reason = parse_attempts(redis.call('HGET', attempts, id))
    local at, due = count * 7, leased_due or first_due
    found[at + 1], found[at + 2] = id, lease and 'L' or 'S'
    found[at + 3], found[at + 4] = due and text(due) or moment(score), moment(score)
    found[at + 5], found[at + 6], found[at + 7] = text(failures or 0), text(expired or 0), reason or ''
    count = count + 1
  end
  looked = looked + 1
end
local next_score = members[2 * looked + 2]
local more = looked > 0 and next_score and tonumber(next_score) < before
if looked == 0 then return { 0, '', '', found } end
return { more and 1 or 0, moment(members[2 * looked]), members[2 * looked - 1], found }
