-- group_page: reads tasks of a group: live tasks in the byte order of their ids, then dead ones.
-- KEYS[1] index     ZSET    id -> when the task is due or its lease ends, epoch ms
-- KEYS[2] leases    HASH    id -> lease record
-- KEYS[3] attempts  HASH    id -> attempts record
-- KEYS[4] dead      ZSET    id -> time of death, epoch ms; plus QUARANTINED for a quarantined task
-- KEYS[5] sharding  STRING  the newest sharding that a caller has sent
-- KEYS[6] groups    ZSET    ids of tasks that have a group; the prefix D marks dead tasks
-- ARGV[1] sharding_text  the caller's sharding; '' to skip the check
-- ARGV[2] group          prefix that all ids of the group have
-- ARGV[3] place          first id to read; '' to start
-- ARGV[4] most           NUMBER size of a page, 1 to 500. The script reads one live and one dead task more than that,
--                        so that the caller sees whether another page follows
-- Returns nine values for each task: id; S (scheduled), L (leased) or D (dead); due time in ms, or the score if
--         unknown; score in ms; failures; expired leases; last reason; '' in place of the envelope; holder of the
--         lease, '' for none
-- Errors  SHARDING: the caller's sharding is outdated; the message has the newer one
-- Cost: O(most log N)

check_types({}, { leases, attempts })
local found = {}
local live = group_members(groups, group, LIVE, place, most + 1)
for _, id in ipairs(live) do
  local score = redis.call('ZSCORE', index, id)
  local token, deadline, leased_due, waits, holder = parse_lease(redis.call('HGET', leases, id))
  local record = redis.call('HGET', attempts, id)
  if score then describe(found, id, token and 'L' or 'S', score, leased_due, record, '', holder) end
end
local died = group_members(groups, group, DEAD, place, most + 1)
for _, member in ipairs(died) do
  local id = string.sub(member, #DEAD + 1)
  local score = redis.call('ZSCORE', dead, id)
  if score then describe(found, id, 'D', score, nil, redis.call('HGET', attempts, id), '') end
end
local stale = fence(sharding, sharding_text, leases)
if stale then return stale end
return found
