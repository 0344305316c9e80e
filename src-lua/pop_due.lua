-- pop_due: acquires due tasks under a lease. A task whose lease has expired is due again.
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
-- KEYS[12] turns     ZSET    key -> its turn: when its next waiting task may be acquired, epoch ms
-- KEYS[13] keylimits HASH    run-time settings of keys: limits and closures
-- ARGV[1]  clock_offset   ms to add to the server's clock; 0 except in tests
-- ARGV[2]  limit          maximum number of tasks, 1 to 500
-- ARGV[3]  lease          ms until the lease ends
-- ARGV[4]  max_expired    maximum number of expired leases of a task; one more makes it dead
-- ARGV[5]  max_bytes      maximum size of the envelopes. The script stops after the task that exceeds it
-- ARGV[6]  max_suspects   maximum number of suspects: tasks that have had an expired lease. The script skips further
--                         ones
-- ARGV[7]  look_ahead     how many ms before its due time a task may be acquired. Retries and leased tasks are never
--                         acquired early
-- ARGV[8]  catch_up_rate  maximum number of overdue tasks per second for all callers together, 0 for no limit: the
--                         generic cell rate algorithm (ITU-T I.371), with a burst of a tenth of a second
-- ARGV[9]  not_after      epoch ms by the server's own clock. The caller stops waiting then, so the script acquires
--                         nothing after it. '' for no limit, or if a test has stopped the clock
-- ARGV[10] holder         unique name of the acquiring store, which the lease records contain
-- ARGV[11] dead_kept      '1' to keep a task with too many expired leases as dead, '0' to delete it
-- ARGV[12] expires_after  an overdue task expires after this many ms, unless its envelope sets a limit; '' for never
-- ARGV[13] expired_kept   '1' to keep an expired task as dead, '0' to delete it
-- ARGV[14] history_kept   number of entries to keep, a space and the name of this process; '' to write no history
-- Returns [1] the server's clock, epoch us; 0 if the shard is empty
--         [2] when to call again, epoch ms: now if more tasks may be due; '' if there is nothing to wait for
--         [3] fencing token of the batch; '' if no task was acquired
--         [4] deadline of the leases, epoch ms
--         [5] three values for each acquired task, lowest score first: id; envelope; due time in ms, followed by
--             :<failures>:<expired leases> if there were any
--         [6] two values for each task that is now dead or deleted: id; reason, which is 'expired' if the task expired
--         [7] ids of up to 20 tasks that were skipped because a newer version wrote them
--         [8] '' usually; '1' if the script has acquired nothing because the caller must run pop_due_limited
--         [9] ms by which the earliest task of the index was late before this call; 0 if a rate limit or tasks of a
--             newer version explain the lateness
--         [10] '0'; pop_due_limited returns the number of tasks that it has held back
-- Cost: O(limit log N); reads at most 2 x limit + 1,000 members
local index, tasks, leases, attempts, dead, token, paused, catchup, holds, history, groups, turns, keylimits =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8], KEYS[9], KEYS[10], KEYS[11], KEYS[12], KEYS[13]
local clock_offset, limit, lease, max_expired, max_bytes, max_suspects, look_ahead, catch_up_rate, not_after,
  holder, dead_kept, expires_after, expired_kept, history_kept =
  ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6]),
  tonumber(ARGV[7]), tonumber(ARGV[8]), ARGV[9],
  ARGV[10], ARGV[11], tonumber(ARGV[12]), ARGV[13], ARGV[14]

local limits = nil
