-- pop_due: acquires due tasks under a lease. A task with an expired lease is due again like any other.
-- KEYS[1] index     ZSET    id -> next moment of attention
-- KEYS[2] tasks     HASH    id -> envelope
-- KEYS[3] leases    HASH    id -> lease record
-- KEYS[4] attempts  HASH    id -> attempts record
-- KEYS[5] dead      ZSET    id -> time of death, in quarantine later by QUARANTINED
-- KEYS[6] token     STRING  last issued fencing token
-- KEYS[7] paused    STRING  exists while the queue is paused: nothing is acquired
-- KEYS[8] catchup   STRING  when the next overdue task may be acquired, epoch us; exists only while overdue tasks are paced
-- KEYS[9] holds     HASH    id -> hold, while tasks migrate to another shard: they are skipped
-- KEYS[10] history   STREAM  history of tasks; not written if the queue keeps none
-- KEYS[11] groups     ZSET    ids of tasks with a group; those of dead tasks have the prefix D
-- ARGV[1] clock_offset  ms, 0 except in tests
-- ARGV[2] limit         maximum number of tasks, 1 to 500
-- ARGV[3] lease         ms
-- ARGV[4] max_expired   maximum number of expired leases of one task; one more makes it dead
-- ARGV[5] max_bytes     stop after the task with which the envelopes exceed this
-- ARGV[6] max_suspects  maximum number of tasks with an earlier expired lease; further ones are skipped
-- ARGV[7] look_ahead    ms; also acquires tasks that are due within this time, except retries and tasks under a lease
-- ARGV[8] catch_up_rate overdue tasks per second for all callers together; 0: unlimited. Uses the generic cell rate
--                       algorithm (ITU-T I.371), with a burst of a tenth of a second
-- ARGV[9] not_after     epoch ms by the server's own clock. After it nothing is acquired, because the caller no longer
--                       waits. '' for no limit, and if time stands still (clock_offset)
-- ARGV[10] holder       unique name of the acquiring store, for the lease records
-- ARGV[11] dead_kept    '1' to keep a task with too many expired leases as dead, '0' to delete it
-- ARGV[12] expires_after  ms; a task that has been due for longer is expired, unless its envelope sets another limit.
--                         '' for never
-- ARGV[13] expired_kept '1' to keep an expired task as dead, '0' to delete it
-- ARGV[14] history_kept  number of history entries to keep, a space and the name of this process; '' for no history
-- Returns [1] now, microseconds, or 0 if the shard is empty; [2] when to call again, epoch ms: now if there may be more
--         due tasks, '' if no task is left;
--         [3] fencing token of the batch, '' if it is empty; [4] deadline of the leases, epoch ms;
--         [5] the tasks, lowest score first, three for each: id, envelope, due ms, followed by :failures:expired leases
--         if there were any;
--         [6] tasks that are now dead or deleted, two for each: id, reason ('expired' for an expired task);
--         [7] ids skipped because a newer version wrote them
-- Cost: O(limit log N); reads at most 2 x limit + 1,000 members
local index, tasks, leases, attempts, dead, token, paused, catchup, holds, history, groups =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8], KEYS[9], KEYS[10], KEYS[11]
local clock_offset, limit, lease, max_expired, max_bytes, max_suspects, look_ahead, catch_up_rate, not_after,
  holder, dead_kept, expires_after, expired_kept, history_kept =
  ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6]),
  tonumber(ARGV[7]), tonumber(ARGV[8]), ARGV[9],
  ARGV[10], ARGV[11], tonumber(ARGV[12]), ARGV[13], ARGV[14]

local limits = nil
