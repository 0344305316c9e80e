-- pop_due_limited: acquires due tasks like pop_due, but no more tasks of a key than its limits allow.
-- If a key is over a limit, its due tasks are held back. A task that is held back stays in the index, with a score that
-- no acquire reaches, until its key's turn comes. Nothing is reserved in advance. If such a task is cancelled or gets
-- another due time, its member of `waiting` stays until an acquire reads and deletes it.
-- KEYS[1]  index     ZSET    id -> when the task is due or its lease ends, epoch ms
-- KEYS[2]  tasks     HASH    id -> envelope
-- KEYS[3]  leases    HASH    id -> lease record
-- KEYS[4]  attempts  HASH    id -> attempts record
-- KEYS[5]  dead      ZSET    id -> time of death, epoch ms; plus QUARANTINED for a quarantined task
-- KEYS[6]  token     STRING  the last fencing token issued
-- KEYS[7]  paused    STRING  the pause. Until it ends, the script acquires nothing
-- KEYS[8]  catchup   STRING  when the next overdue task may be acquired, epoch us. Set while their rate is limited;
--                            expires
-- KEYS[9]  holds     HASH    id -> hold, for tasks that are migrating to another shard. The script skips them
-- KEYS[10] history   STREAM  events of tasks; unused if the queue keeps no history
-- KEYS[11] groups    ZSET    ids of tasks that have a group; the prefix D marks dead tasks
-- KEYS[12] waiting   ZSET    <key>\0<due ms, 13 digits>\0<id> for each task that is held back; all scores are 0
-- KEYS[13] turns     ZSET    key -> its turn: when its next waiting task may be acquired, epoch ms. A fraction of .5
--                            marks a key that waits for a delivery to end
-- KEYS[14] tat       HASH    key -> theoretical arrival time of the generic cell rate algorithm (ITU-T I.371), epoch
--                            us; has no effect once it has passed
-- KEYS[15] running   HASH    key -> ids of its deliveries in progress, separated by \0; ids without a lease do not
--                            count
-- KEYS[16] keylimits HASH    run-time settings of keys. L<key> -> 1:<interval>:<concurrency>[:<burst>], with 0 for
--                            the caller's limit; C<key> -> when the key opens again, epoch ms
-- ARGV[1]  clock_offset   ms to add to the server's clock; 0 except in tests
-- ARGV[2]  limit          NUMBER maximum number of tasks, 1 to 500
-- ARGV[3]  lease          NUMBER ms until the lease ends
-- ARGV[4]  max_expired    NUMBER maximum number of expired leases of a task; one more makes it dead
-- ARGV[5]  max_bytes      NUMBER maximum size of the envelopes. The script stops after the task that exceeds it
-- ARGV[6]  max_suspects   NUMBER maximum number of suspects: tasks that have had an expired lease. The script skips
--                         further ones
-- ARGV[7]  catch_up_rate  NUMBER maximum number of overdue tasks per second for all callers together, 0 for no limit:
--                         the generic cell rate algorithm (ITU-T I.371), with a burst of a tenth of a second
-- ARGV[8]  not_after      epoch ms by the server's own clock. The caller stops waiting then, so the script acquires
--                         nothing after it. '' for no limit, or if a test has stopped the clock
-- ARGV[9]  holder         unique name of the acquiring store, which the lease records contain
-- ARGV[10] dead_kept      '1' to keep a task with too many expired leases as dead, '0' to delete it
-- ARGV[11] expires_after  NUMBER an overdue task expires after this many ms, unless its envelope sets a limit; '' for
--                         never
-- ARGV[12] expired_kept   '1' to keep an expired task as dead, '0' to delete it
-- ARGV[13] history_kept   number of entries to keep, a space and the name of this process; '' to write no history
-- ARGV[14] interval       NUMBER microseconds between two tasks of a key; 0 for no rate
-- ARGV[15] concurrency    NUMBER maximum number of deliveries of a key in progress; 0 for no limit
-- ARGV[16] burst          NUMBER number of tasks of a key that may be acquired without a pause between them; 0 for as
--                         many as the rate allows in a tenth of a second, but at least one
-- Returns [1] the server's clock, epoch us; 0 if the shard is empty
--         [2] when to call again, epoch ms: now if more tasks may be due; '' if there is nothing to wait for
--         [3] fencing token of the batch; '' if no task was acquired
--         [4] deadline of the leases, epoch ms
--         [5] three values for each acquired task, held-back tasks first: id; envelope; due time in ms, followed by
--             :<failures>:<expired leases> if there were any
--         [6] two values for each task that is now dead or deleted: id; reason, which is 'expired' if the task expired
--         [7] ids of up to 20 tasks that were skipped because a newer version wrote them
--         [8] '1' if keylimits or turns existed before this call, otherwise ''
--         [9] ms by which the earliest task of the index, or the earliest turn, was late before this call; 0 if a
--             rate limit or tasks of a newer version explain the lateness
--         [10] number of tasks that this call has held back
-- Cost: O(limit log N), and O(1) for each key; reads at most 2 x limit + 1,000 members of the index

local STEP, SPARE, SAMPLE, PAUSE = 500, 8, 8, 1000
local AT_END = 0.5
-- If no burst is set, the tasks that the rate of a key allows in a tenth of a second may be acquired at once.
local BURST_MICROS = 100000
local micros, now = read_clock(clock_offset)
-- Keys that were read, keys that changed, members to remove from `waiting` and to add to it, and new scores in the
-- index.
local known, used, left, put_aside, score_put = {}, {}, {}, {}, {}
local any_turn = redis.call('ZCARD', turns) > 0
local any_own = redis.call('HLEN', keylimits) > 0
check_types({ waiting }, { tat, running })
-- True if the caller has no limits. Waiting tasks of keys without run-time limits may then be acquired now.
local is_off = interval == 0 and concurrency == 0
-- were_taken: this call has processed the turns of keys. again: when to call again because keys are left that did not
-- fit in the batch.
local were_taken, again = false, nil
local limits = { any = any_own or any_turn }

-- Reads the state of keys: limits, arrival time, ids in progress, and whether tasks of the key are waiting.
-- found: the keys and their turns, if they have been read.
local function know(keys, found)
  if #keys == 0 then return end
  local fields = {}
  for i = 1, any_own and #keys or 0 do append(fields, LIMITS_OF .. keys[i], CLOSED .. keys[i]) end
  local own = any_own and redis.call('HMGET', keylimits, unpack(fields)) or {}
  local tats = (interval > 0 or any_own) and redis.call('HMGET', tat, unpack(keys)) or {}
  local runs = (concurrency > 0 or any_own) and redis.call('HMGET', running, unpack(keys)) or {}
  for i = 1, #keys do
    local ids = {}
    for id in string.gmatch(runs[i] or '', '[^%z]+') do ids[#ids + 1] = id end
    local own_interval, own_concurrency, own_burst = string.match(own[2 * i - 1] or '', '^1:(%d+):(%d+):?(%d*)$')
    local is_readable = own_interval and #own_interval <= 11 and #own_concurrency <= 4 and #own_burst <= 5
    local every, most = is_readable and tonumber(own_interval) or 0, is_readable and tonumber(own_concurrency) or 0
    local at_once = every > 0 and (tonumber(own_burst) or 0) or burst
    every = every > 0 and every or interval
    local tolerance = at_once > 0 and (at_once - 1) * every or math.max(0, BURST_MICROS - every)
    local line = found and found[2 * i] or any_turn and redis.call('ZSCORE', turns, keys[i])
    known[keys[i]] = {
      key = keys[i], every = every, most = most > 0 and most or concurrency, closed = tonumber(own[2 * i] or 0) or 0,
      -- After its rate was raised, a key must not wait longer than the new rate requires.
      tolerance = tolerance, tat = math.min(tonumber(tats[i] or 0) or 0, micros + every + tolerance),
      ids = ids, is_mine = {}, line = tonumber(line or now), waits = line and true or false
    }
  end
end

-- Removes ids whose lease has ended from the ids in progress. Stores when the first of the remaining leases ends.
local function look_at_leases(own)
  local ids, others = {}, {}
  for i = 1, #own.ids do
    local list = own.is_mine[own.ids[i]] and ids or others
    list[#list + 1] = own.ids[i]
  end
  own.ends_at = now + lease
  local records = #others > 0 and redis.call('HMGET', leases, unpack(others)) or {}
  for i = 1, #others do
    local under, ends_at = parse_lease(records[i])
    if under and ends_at > now then
      ids[#ids + 1] = others[i]
      own.ends_at = math.min(own.ends_at, ends_at)
    end
  end
  own.ids, own.is_seen = ids, true
end

-- Returns how many tasks of a key may be acquired now. If this is 0, also returns when the next task may be acquired.
local function allowance(own)
  if own.closed > now then return 0, own.closed end
  local most = math.huge
  if own.every > 0 then
    local ahead = math.max(own.tat, micros) - micros
    if ahead > own.tolerance then return 0, math.ceil((own.tat - own.tolerance) / 1000) end
    most = math.floor((own.tolerance - ahead) / own.every) + 1
  end
  if own.most > 0 then
    if #own.ids >= own.most and not own.is_seen then look_at_leases(own) end
    most = math.min(most, own.most - #own.ids)
    if most <= 0 then return 0, own.ends_at + AT_END end
  end
  return most
end

-- Counts a task towards the limits of its key.
local function charge(own, id)
  if own.every > 0 then own.tat = math.max(own.tat, micros) + own.every end
  if own.most > 0 then
    local is_there = false
    for i = 1, #own.ids do is_there = is_there or own.ids[i] == id end
    if not is_there then own.ids[#own.ids + 1] = id end
    own.is_mine[id] = true
  end
  used[own.key] = own
end

local function member_of(key, due, id)
  return key .. '\0' .. string.format('%013.0f', due) .. '\0' .. id
end

-- Acquires as many waiting tasks of a key as its limits allow, in order of due time.
local function give(own, consider, horizon, any_attempts, room)
  local key, asked = own.key, math.min(STEP, allowance(own) + SPARE, room() + SPARE)
  local members = redis.call('ZRANGE', waiting, '[' .. key .. '\0', '(' .. key .. '\1', 'BYLEX', 'LIMIT', '0', text(asked))
  local still, blocked, too_soon = #members, nil, nil
  for i = 1, #members do
    local due, id = string.match(string.sub(members[i], #key + 2), '^(%d+)%z(.*)$')
    local score = id and tonumber(redis.call('ZSCORE', index, id) or 0)
    if score ~= ASIDE + tonumber(due or -1) then
      left[#left + 1], still = members[i], still - 1
    elseif allowance(own) == 0 or room() == 0 then
      break
    elseif score - ASIDE >= horizon then
      too_soon = score - ASIDE
      break
    else
      local attempts_text = any_attempts and redis.call('HGET', attempts, id)
      if consider(id, redis.call('HGET', tasks, id), text(score - ASIDE), nil, attempts_text, key) then
        left[#left + 1], still = members[i], still - 1
      else
        blocked = now + PAUSE
      end
    end
  end
  own.waits = still > 0 or #members == asked
  local free, turn = allowance(own)
  own.turn = own.waits and (turn or too_soon or (room() > 0 and blocked) or now) or nil
  used[key] = own
end

-- Acquires tasks of the keys whose turn has come. The key with the earliest turn comes first. If the caller has no
-- limits, it is always the turn of keys without limits.
function limits.take_turns(consider, horizon, any_attempts, room)
  were_taken = true
  if not any_turn then return end
  local most, last = math.min(STEP, limit + SPARE), is_off and '+inf' or '(' .. text(now + 1)
  local found = redis.call('ZRANGEBYSCORE', turns, '-inf', last, 'WITHSCORES', 'LIMIT', '0', text(most))
  local keys = {}
  for i = 1, #found, 2 do keys[#keys + 1] = found[i] end
  know(keys, found)
  if is_off and not any_own and #keys == most then again = now + PAUSE / 10 end
  for i = 1, #keys do
    local own = known[keys[i]]
    if tonumber(found[2 * i]) < now + 1 or (own.every == 0 and own.most == 0 and own.closed <= now) then
      if room() == 0 then
        again = is_off and now
        break
      end
      give(own, consider, horizon, any_attempts, room)
    end
  end
end

-- Holds a due task back until its key's turn. A key whose turn has come keeps its place among such keys.
local function hold_back(own, id, score, turn)
  local due = math.floor(math.max(0, score))
  append(put_aside, '0', member_of(own.key, due, id))
  append(score_put, text(ASIDE + due), id)
  own.waits, own.turn, used[own.key] = true, turn or math.min(own.turn or math.floor(own.line), now), own
end

-- Holds back the tasks whose keys are over a limit or have other tasks waiting. Returns the remaining tasks. Reads no
-- envelopes, so a large backlog of one key takes little time.
function limits.sift(ids, scores, lease_count, any_hold)
  local keys, new, is_new, rest, rest_scores = {}, {}, {}, {}, {}
  for i = 1, #ids do
    local key = key_of(ids[i]) or false
    keys[i] = key
    if key and not known[key] and not is_new[key] then new[#new + 1], is_new[key] = key, true end
  end
  know(new)
  for i = 1, #ids do
    local id, own, turn, free = ids[i], keys[i] and known[keys[i]], nil, nil
    if own and not any_hold then free, turn = allowance(own) end
    if free and (own.waits or free == 0) and not (lease_count > 0 and redis.call('HGET', leases, id)) then
      hold_back(own, id, tonumber(scores[i]), turn)
    else
      rest[#rest + 1], rest_scores[#rest_scores + 1] = id, scores[i]
    end
  end
  return rest, rest_scores
end

-- Counts a due task towards the limits of its key and returns true. If the key is over a limit, returns false and holds
-- the task back.
function limits.admits(id, score, its_turn)
  local key = its_turn or key_of(id)
  if not key then return true end
  local own = known[key]
  local free, turn = allowance(own)
  if free > 0 and (its_turn or not own.waits) then
    charge(own, id)
    return true
  end
  if its_turn then return false end
  hold_back(own, id, score, turn)
  return false
end

-- Returns the number of changes that have not been written yet.
function limits.set_aside()
  return #put_aside / 2 + #left + (next(used) and 1 or 0)
end

-- Returns the number of tasks that this call holds back.
function limits.held_back()
  return #put_aside / 2
end

-- Returns when the next waiting task may be acquired. Before take_turns has run, this is the current time if the caller
-- has no limits.
function limits.next_turn()
  local first = redis.call('ZRANGE', turns, '0', '0', 'WITHSCORES')
  if not first[2] then return math.huge end
  if is_off and not were_taken or again and #left > 0 then return now end
  return math.min(again or math.huge, tonumber(first[2]))
end

local function is_past(field, moment) return string.sub(field, 1, 1) == CLOSED and (tonumber(moment) or 0) <= now end

local function is_spent(key, moment) return not used[key] and (tonumber(moment) or 0) <= micros end

local function is_over(key, list)
  if used[key] then return false end
  for id in string.gmatch(list, '[^%z]+') do
    if redis.call('HGET', leases, id) then return false end
  end
  return true
end

-- Writes the new scores, the changes of waiting, and the keys that changed.
function limits.write()
  local turn_put, turn_out, tat_put, run_put, run_out = {}, {}, {}, {}, {}
  for key, own in pairs(used) do
    if own.turn then
      append(turn_put, string.format('%.1f', own.turn), key)
    elseif any_turn and not own.waits then
      turn_out[#turn_out + 1] = key
    end
    if own.every > 0 and own.tat > micros then append(tat_put, key, text(own.tat)) end
    if own.most > 0 then
      if #own.ids > 0 then
        append(run_put, key, table.concat(own.ids, '\0'))
      else
        run_out[#run_out + 1] = key
      end
    end
  end
  send('ZADD', index, score_put)
  -- Remove members first, because a removed member may be added again.
  send('ZREM', waiting, left)
  send('ZADD', waiting, put_aside)
  send('ZADD', turns, turn_put)
  send('ZREM', turns, turn_out)
  send('HSET', tat, tat_put)
  send('HSET', running, run_put)
  send('HDEL', running, run_out)
  -- Each call also deletes some records of idle keys, of lost deliveries and of keys whose closing time has passed.
  if any_own then drop_some(keylimits, micros, SAMPLE, is_past) end
  if #tat_put > 0 then drop_some(tat, micros, SAMPLE + #tat_put, is_spent) end
  -- Each key in progress has a lease. If `running` has more fields than `leases`, a lost process has left keys behind.
  if #run_put > 0 and redis.call('HLEN', running) > redis.call('HLEN', leases) + #run_put / 2 then
    drop_some(running, micros, SAMPLE + #run_put, is_over)
  end
end

-- Deletes some of what deleted tasks have left behind: members of `waiting`, and task keys in `turns`, `tat`, `running`
-- and `keylimits`. Call this if the shard has no live tasks.
function limits.forget_waiting()
  local members = redis.call('ZRANGE', waiting, '0', text(STEP - 1))
  send('ZREM', waiting, members)
  local keys = redis.call('ZRANGE', turns, '0', text(STEP - 1))
  send('ZREM', turns, keys)
  drop_some(tat, micros, STEP, is_spent)
  drop_some(running, micros, STEP, is_over)
  drop_some(keylimits, micros, STEP, is_past)
end
