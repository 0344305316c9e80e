-- operation_stop: asks the process that runs an operation to stop before its next page.
-- KEYS[1] operations  HASH  handle -> operation record
-- ARGV[1] handle  handle of the operation
-- Returns 1: the stop is requested
--         0: the operation is unknown or not running
-- Cost: O(1)

local record = redis.call('HGET', operations, handle)
local beat, dry_run, stop, holder, content = parse_operation(record)
if not beat or holder == '' then return 0 end
redis.call('HDEL', operations, '')
redis.call('HSET', operations, handle, '1:' .. text(beat) .. ':' .. dry_run .. ':1:' .. holder .. ':' .. content)
return 1
