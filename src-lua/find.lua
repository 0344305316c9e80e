-- find: reads one task, live or dead.
-- KEYS[1] index     ZSET    id -> when the task is due or its lease ends, epoch ms
-- KEYS[2] tasks     HASH    id -> envelope
-- KEYS[3] leases    HASH    id -> lease record
-- KEYS[4] attempts  HASH    id -> attempts record
-- KEYS[5] dead      ZSET    id -> time of death, epoch ms; plus QUARANTINED for a quarantined task
-- KEYS[6] sharding  STRING  the newest sharding that a caller has sent
-- KEYS[7] turns     ZSET    key -> its turn: when its next waiting task may be acquired, epoch ms. An added 0.5
--                           means that the key waits for a delivery to end
-- ARGV[1] sharding_text  the caller's sharding; '' to skip the check
-- ARGV[2] id
-- Returns nothing if no task has this id, otherwise
--         [1] id
--         [2] S (scheduled), L (leased) or D (dead)
--         [3] due time, epoch ms
--         [4] time of the next attempt, end of the lease, or time of death, epoch ms
--         [5] number of failures
--         [6] number of expired leases
--         [7] last reason
--         [8] envelope
--         [9] '@' and the process that holds the lease; '' for no lease or an unknown process
--         [10] trail of its last failed attempts, with the stack trace; '' for none
--         [11] as [4], but without regard to the limits of its key
-- Errors  SHARDING: the caller's sharding is outdated; the message has the newer one
-- Cost: O(1)

local envelope = redis.call('HGET', tasks, id)
local score = redis.call('ZSCORE', index, id)
local died = redis.call('ZSCORE', dead, id)
local lease = redis.call('HGET', leases, id)
local record = redis.call('HGET', attempts, id)
local stale = fence(sharding, sharding_text, leases)
if stale then return stale end
if not envelope or not (score or died) then return {} end
local token, deadline, leased_due, waits, holder = parse_lease(lease)
local reply, state = {}, not score and 'D' or token and 'L' or 'S'
reply[10] = describe(reply, id, state, score or died, leased_due, record, envelope, holder)
reply[4], reply[11] = score and shown_time(score, turns, id) or reply[4], reply[4]
return reply
