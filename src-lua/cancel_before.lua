-- cancel_before: deletes the tasks that wait for a moment before a given one, a batch at a time.
--                Those that are leased, or on their way to another shard, stay.
-- KEYS[1] index      ZSET  id -> next moment of attention
-- KEYS[2] tasks      HASH  id -> envelope
-- KEYS[3] leases     HASH  id -> lease record
-- KEYS[4] attempts   HASH  id -> attempts record
-- KEYS[5] transfers  HASH  id -> hold, while tasks migrate to another shard
-- KEYS[6] history   STREAM  what became of tasks; nothing is written where none is kept
-- KEYS[7] groups     ZSET    pages of ids that have a group
-- ARGV[1] clock_offset  ms, 0 but in tests
-- ARGV[2] before        epoch ms
-- ARGV[3] after_moment  epoch ms, moment of the task that was looked at last; 0 to begin
-- ARGV[4] after_id      id of that task, '' to begin; it need not be there any more
-- ARGV[5] limit         tasks to look at at most, 1 to 500
-- ARGV[6] history_kept  entries that the history keeps, a space and the name of this process; '' for no history
-- Returns [1] 1 if more follow before that moment, or 0; [2] moment and [3] id of the last task that was looked at, '' for
--         none; [4] how many were deleted; [5] how many stay
-- Cost: O(limit log N)
local index, tasks, leases, attempts, transfers, history, groups = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local clock_offset, before, after_moment, after_id, limit, history_kept =
  ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4], tonumber(ARGV[5]), ARGV[6]

redis.call('HLEN', tasks)
redis.call('HLEN', attempts)
redis.call('HLEN', leases)
local any_group = redis.call('ZCARD', groups) > 0
local any_hold = redis.call('HLEN', transfers) > 0
local micros, now = read_clock(clock_offset)
local members = members_after(index, after_moment, after_id, limit)
local looked, gone = 0, {}
while looked < limit and 2 * looked < #members and tonumber(members[2 * looked + 2]) < before do
  local id = members[2 * looked + 1]
  if not redis.call('HGET', leases, id) and not (any_hold and held_until(transfers, id, now)) then gone[#gone + 1] = id end
  looked = looked + 1
end
if looked == 0 then return { 0, '', '', 0, 0 } end
if #gone > 0 then
  redis.call('ZREM', index, unpack(gone))
  if any_group then grouping(groups).change(gone, false) end
  redis.call('HDEL', tasks, unpack(gone))
  redis.call('HDEL', attempts, unpack(gone))
  if any_hold then redis.call('HDEL', transfers, unpack(gone)) end
  if history_kept ~= '' then
    local note, write = chronicle(history, history_kept)
    for i = 1, #gone do note(gone[i], 'cancelled', '') end
    write()
  end
end
local next_score = members[2 * looked + 2]
local more = next_score and tonumber(next_score) < before
return { more and 1 or 0, moment(members[2 * looked]), members[2 * looked - 1], #gone, looked - #gone }
