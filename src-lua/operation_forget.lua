-- operation_forget: deletes the record of an operation that no process runs.
-- KEYS[1] operations  HASH  handle -> operation record
-- ARGV[1] handle  handle of the operation
-- Returns 1: the record is deleted
--         0: the operation is unknown or running
-- Cost: O(1)

local beat, dry_run, stop, holder = parse_operation(redis.call('HGET', operations, handle))
if not beat or holder ~= '' then return 0 end
return redis.call('HDEL', operations, handle)
