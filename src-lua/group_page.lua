-- group_page: reads tasks of a group, live and dead, or counts them, some pages of the group at a time.
-- KEYS[1] index     ZSET    id -> next moment of attention
-- KEYS[2] leases    HASH    id -> lease record
-- KEYS[3] attempts  HASH    id -> attempts record
-- KEYS[4] dead      ZSET    id -> time of death
-- KEYS[5] layout    STRING  newest layout that a caller went by
-- KEYS[6] groups    ZSET    pages of ids that have a group
-- ARGV[1] layout_text  the caller's layout, '' for none
-- ARGV[2] group        its name
-- ARGV[3] place        what the call before answered, '' to begin
-- ARGV[4] most         tasks at most, 20 to 500
-- ARGV[5] reading      TASKS, or COUNT where nothing but the numbers is wanted
-- Returns [1] from where others follow, '' if none do; [2] how many live ones were found; [3] how many dead ones; [4] the
--         tasks, four for each: id, S (scheduled), L (leased) or D (dead), due ms, moment ms. The error LAYOUT with the
--         newer layout if the caller's is older
-- Cost: O(most log N)
local index, leases, attempts, dead, layout, groups = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local layout_text, group, place, most, reading = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[5]

redis.call('HLEN', leases)
redis.call('HLEN', attempts)
local ids, next_place = grouping(groups).members(group, place, most)
local live, died, found = 0, 0, {}
for i = 1, #ids do
  local id = ids[i]
  local score = redis.call('ZSCORE', index, id)
  local death = not score and redis.call('ZSCORE', dead, id)
  if score then live = live + 1 elseif death then died = died + 1 end
  if reading == 'TASKS' and (score or death) then
    local token, deadline, leased_due = parse_lease(redis.call('HGET', leases, id))
    local first_due = parse_attempts(redis.call('HGET', attempts, id))
    local due, at = leased_due or first_due, moment(score or death)
    found[#found + 1], found[#found + 2] = id, death and 'D' or token and 'L' or 'S'
    found[#found + 1], found[#found + 2] = due and text(due) or at, at
  end
end
local stale = fence(layout, layout_text, leases)
if stale then return stale end
return { next_place, live, died, found }
