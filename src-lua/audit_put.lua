-- audit_put: adds an entry to the audit stream, and trims the stream.
-- KEYS[1] audit  STREAM  audit entries of all queues
-- ARGV[1] audit_kept  number of entries to keep; more may be kept for a while
-- ARGV[2] entry       the entry as JSON
-- Returns 1
-- Cost: O(1)

redis.call('XADD', audit, 'MAXLEN', '~', audit_kept, '*', 'entry', entry)
return 1
