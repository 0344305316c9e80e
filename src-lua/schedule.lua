-- schedule: stores tasks, each new or in conflict with one of its id, as its policy says.
-- KEYS[1] index     ZSET  id -> next moment of attention
-- KEYS[2] tasks     HASH  id -> envelope
-- KEYS[3] leases    HASH  id -> lease record
-- KEYS[4] attempts  HASH  id -> attempts record
-- KEYS[5] dead      ZSET  id -> time of death
-- KEYS[6] transfers  HASH    id -> hold, while tasks are moved to another shard
-- KEYS[7] layout     STRING  newest layout that a caller went by
-- ARGV[1] clock_offset  ms, 0 but in tests
-- ARGV[2] wake_channel  name, '' for none
-- ARGV[3] shard         number, the wake message
-- ARGV[4] layout_text   the caller's layout, '' for none
-- ARGV[5] which         'any', or 'held' to leave alone what is not held here
-- ARGV[6...]            five for each task, at most 500 tasks with ids that differ: id; 'at' or 'in'; epoch ms or delay
--                       ms; policy REPLACE, KEEP, EARLIEST or LATEST; envelope,
--                       with C as its outcome
-- Returns for each task two: outcome C (created), R (replaced), F (replaced, but a delivery of the old one had begun and
--         its end is not known) or K (kept), and the due time in ms of the task now held. A task that holds this
--         envelope's request id already is answered as the first time, and nothing is changed. Or M (is being moved to
--         another shard) or N (not held here and not asked to be stored), and 0; nothing was changed. The error LAYOUT with
--         the newer layout if the caller's is older
-- Cost: O(n log N)
local index, tasks, leases, attempts, dead, transfers, layout =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local clock_offset, wake_channel, shard, layout_text, which = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

local FIRST, STEP = 6, 5
local count = (#ARGV - FIRST + 1) / STEP
local micros, now = read_clock(clock_offset)
local head = earliest(index)

local ids, dues = {}, {}
for i = 1, count do
  local at = FIRST + (i - 1) * STEP
  local due = tonumber(ARGV[at + 2])
  if ARGV[at + 1] == 'in' then due = now + due end
  if due > MAX_DUE then return redis.error_reply('DUETIME after the year 9999') end
  ids[i], dues[i] = ARGV[at], due
end

local held = redis.call('HMGET', tasks, unpack(ids))
local any_hold = redis.call('HLEN', transfers) > 0
redis.call('HLEN', leases)
redis.call('HLEN', attempts)
redis.call('ZCARD', dead)
local stale = fence(layout, layout_text)
if stale then return stale end
local reply, put, score, unlease, attempt_put, unattempt, undead, unhold = {}, {}, {}, {}, {}, {}, {}, {}
local written, soonest = 0, nil

for i = 1, count do
  local at = FIRST + (i - 1) * STEP
  local id, due, policy, envelope = ids[i], dues[i], ARGV[at + 3], ARGV[at + 4]
  local outcome, answer_due = 'C', due
  if not held[i] and which == 'held' then
    outcome, answer_due, envelope = 'N', 0, nil
  elseif held[i] and any_hold and held_until(transfers, id, now) then
    outcome, answer_due, envelope = 'M', 0, nil
  elseif held[i] then
    local score_now = redis.call('ZSCORE', index, id)
    local lease = redis.call('HGET', leases, id)
    local record = redis.call('HGET', attempts, id)
    local died = redis.call('ZSCORE', dead, id)
    local token, deadline, leased_due = parse_lease(lease)
    local first_due, failures, expired, uncertain = parse_attempts(record)
    local held_due = leased_due or first_due or tonumber(score_now or died or now)
    if string.byte(held[i], 1) == VERSION and string.sub(held[i], 3, ENVELOPE_MIN) == string.sub(envelope, 3, ENVELOPE_MIN)
    then
      outcome, answer_due = string.sub(held[i], 2, 2), held_due
      envelope = nil
    elseif policy == 'KEEP'
      or (policy == 'EARLIEST' and not died and due >= held_due)
      or (policy == 'LATEST' and not died and due <= held_due)
    then
      outcome, answer_due = 'K', held_due
      envelope = nil
    else
      outcome = (lease or uncertain) and 'F' or 'R'
      if lease then unlease[#unlease + 1] = id end
      if outcome == 'F' then
        attempt_put[#attempt_put + 1] = id
        attempt_put[#attempt_put + 1] = attempts_record(due, 0, 0, true, 'replaced during a delivery')
      elseif record then
        unattempt[#unattempt + 1] = id
      end
      if died then undead[#undead + 1] = id end
      if any_hold then unhold[#unhold + 1] = id end
    end
  end
  local answer = moment(answer_due)
  if envelope then
    local k = 2 * written
    written = written + 1
    if outcome ~= 'C' then envelope = string.sub(envelope, 1, 1) .. outcome .. string.sub(envelope, 3) end
    put[k + 1], put[k + 2] = id, envelope
    score[k + 1], score[k + 2] = answer, id
    if not soonest or due < soonest then soonest = due end
  end
  reply[2 * i - 1], reply[2 * i] = outcome, answer
end

if written > 0 then
  redis.call('HSET', tasks, unpack(put))
  redis.call('ZADD', index, unpack(score))
  if #attempt_put > 0 then redis.call('HSET', attempts, unpack(attempt_put)) end
  if #unlease > 0 then redis.call('HDEL', leases, unpack(unlease)) end
  if #unattempt > 0 then redis.call('HDEL', attempts, unpack(unattempt)) end
  if #undead > 0 then redis.call('ZREM', dead, unpack(undead)) end
  if #unhold > 0 then redis.call('HDEL', transfers, unpack(unhold)) end
  if not head or soonest < head then wake(wake_channel, shard) end
end
return reply
