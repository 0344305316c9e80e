-- deliver_before: makes the tasks due now that wait for a moment before a given one, a batch at a time.
--                 Those that are due, leased, or on their way to another shard stay as they are. Attempts go on
--                 counting. None is due later than it is delivered: one that has attempts and was to be due later is
--                 due now too.
-- KEYS[1] index      ZSET  id -> next moment of attention
-- KEYS[2] leases     HASH  id -> lease record
-- KEYS[3] attempts   HASH  id -> attempts record
-- KEYS[4] transfers  HASH  id -> hold, while tasks migrate to another shard
-- KEYS[5] history    STREAM  what became of tasks; nothing is written where none is kept
-- ARGV[1] clock_offset  ms, 0 but in tests
-- ARGV[2] wake_channel  name, '' for none
-- ARGV[3] shard         number, the wake message
-- ARGV[4] before        epoch ms
-- ARGV[5] after_moment  epoch ms, moment of the task that was looked at last; 0 to begin
-- ARGV[6] after_id      id of that task, '' to begin; it need not be there any more
-- ARGV[7] limit         tasks to look at at most, 1 to 500
-- ARGV[8] order         letters: with an 'o' they come in the order in which they stood, behind what is due in this
--                       millisecond; otherwise their ids decide
-- ARGV[9] history_kept  entries that the history keeps, a space and the name of this process; '' for no history
-- Returns [1] 1 if more follow before that moment, or 0; [2] moment and [3] id of the last task that was looked at, ''
--         for none; [4] how many are due now and were not before; [5] how many stay
-- Cost: O(limit log N)
local index, leases, attempts, transfers, history = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local clock_offset, wake_channel, shard, before, after_moment, after_id, limit, order, history_kept =
  ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[5], ARGV[6], tonumber(ARGV[7]), ARGV[8], ARGV[9]

redis.call('HLEN', leases)
local any_attempts = redis.call('HLEN', attempts) > 0
local any_hold = redis.call('HLEN', transfers) > 0
local micros, now = read_clock(clock_offset)
-- What is due is passed over, or each batch would look at those again that the one before has made due.
if tonumber(after_moment) <= now then after_moment, after_id = text(now + 1), '' end
local members = members_after(index, after_moment, after_id, limit)
local looked, put, attempt_put, given = 0, {}, {}, {}
local places = string.find(order, 'o', 1, true) and placing()
while looked < limit and 2 * looked < #members and tonumber(members[2 * looked + 2]) < before do
  local id = members[2 * looked + 1]
  if not redis.call('HGET', leases, id) and not (any_hold and held_until(transfers, id, now)) then
    put[#put + 1] = places and places.text(places.after_all(index, id, now, given)) or text(now)
    put[#put + 1] = id
    local due, failures, expired, uncertain, reason, trail =
      parse_attempts(any_attempts and redis.call('HGET', attempts, id))
    if due and due > now then
      attempt_put[#attempt_put + 1] = id
      attempt_put[#attempt_put + 1] = attempts_record(now, failures, expired, uncertain, reason .. trail)
    end
  end
  looked = looked + 1
end
if looked == 0 then return { 0, '', '', 0, 0 } end
if #put > 0 then
  allow_writes_when_full(leases)
  if #attempt_put > 0 then redis.call('HSET', attempts, unpack(attempt_put)) end
  redis.call('ZADD', index, unpack(put))
  -- Whatever was due before may be passed over, so that pollers sleep until what was next behind it.
  wake(wake_channel, shard)
  if history_kept ~= '' then
    local note, write = chronicle(history, history_kept)
    for i = 2, #put, 2 do note(put[i], 'rescheduled', text(now)) end
    write()
  end
end
local next_score = members[2 * looked + 2]
local more = next_score and tonumber(next_score) < before
return { more and 1 or 0, moment(members[2 * looked]), members[2 * looked - 1], #put / 2, looked - #put / 2 }
