-- find: reads one task, live or dead.
-- KEYS[1] index     ZSET  id -> next moment of attention
-- KEYS[2] tasks     HASH  id -> envelope
-- KEYS[3] leases    HASH  id -> lease record
-- KEYS[4] attempts  HASH  id -> attempts record
-- KEYS[5] dead      ZSET  id -> time of death
-- KEYS[6] sharding   STRING  newest sharding passed by a caller
-- KEYS[7] turns     ZSET  key with waiting tasks -> its turn: when its next task may be acquired, epoch ms
-- ARGV[1] sharding_text  the caller's sharding, '' for none
-- ARGV[2] id
-- Returns nothing for an unknown id, or [1] state S (scheduled), L (leased) or D (dead); [2] due, epoch ms; [3] next
--         attempt, turn of its key if the task is put aside, lease deadline or time of death, epoch ms; [4] failures;
--         [5] expired leases; [6] last reason; [7] envelope; [8] the trail of its last failed attempts, '' for none;
--         [9] '@' and the process that holds the lease, '' for none or unknown; the error SHARDING with the newer sharding
--         if the caller's is older
-- Cost: O(1)
local index, tasks, leases, attempts, dead, sharding, turns =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local sharding_text, id = ARGV[1], ARGV[2]

local envelope = redis.call('HGET', tasks, id)
local score = redis.call('ZSCORE', index, id)
local died = redis.call('ZSCORE', dead, id)
local lease = redis.call('HGET', leases, id)
local record = redis.call('HGET', attempts, id)
local is_aside = score and tonumber(score) >= ASIDE
local turn = is_aside and redis.call('ZSCORE', turns, key_of(id) or '')
local stale = fence(sharding, sharding_text, leases)
if stale then return stale end
if not envelope or not (score or died) then return {} end
local token, deadline, leased_due, waits, holder = parse_lease(lease)
local first_due, failures, expired, uncertain, reason, trail = parse_attempts(record)
local at = moment(score or died)
local state = not score and 'D' or (token and 'L' or 'S')
local due = leased_due or first_due
local next_at = turn and moment(math.max(tonumber(turn), attention(score))) or at
return { state, due and text(due) or at, next_at, text(failures or 0), text(expired or 0), reason or '', envelope,
  trail or '', holder or '' }
