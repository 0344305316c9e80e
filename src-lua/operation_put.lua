-- operation_put: records the progress of an operation, and decides which process runs it.
-- KEYS[1] operations  HASH  handle -> operation record
-- ARGV[1] clock_offset  ms to add to the server's clock; 0 except in tests
-- ARGV[2] handle        handle of the operation
-- ARGV[3] act           claim: the caller wants to run the operation; beat: it is running it; end: it has stopped
-- ARGV[4] runner        name of the caller, without a colon
-- ARGV[5] dry_run       1 or 0
-- ARGV[6] silence       a runner counts as dead after this many ms without a beat
-- ARGV[7] record_kept   ms to keep a record
-- ARGV[8] seen          version of the record that the caller has read before a claim; '' for none
-- ARGV[9] content       the progress to record
-- Returns G: recorded
--         S: recorded; a stop is requested
--         L: nothing was recorded. Another process runs the operation, or its record has changed since the caller read
--            it
-- Cost: O(1); O(n) for a claim, n operations

local PAGES, MOST, MOST_OUT = 10, 99, 500
local micros, now = read_clock(clock_offset)
local beat, known_dry_run, stop, holder = parse_operation(redis.call('HGET', operations, handle))
local is_claim = act == 'claim'
if beat and holder ~= runner then
  local is_free = holder == '' or now - beat >= tonumber(silence)
  if not is_claim or not is_free then return 'L' end
end
-- Refuse a caller that has read an older record: it would continue from an outdated position.
if is_claim and holder ~= runner and seen ~= (beat and text(beat) or '') then return 'L' end
-- The time of a record is its version, so each write needs a different time. If the clock is set back by more than
-- `silence`, the versions also go back.
local noted = now
if beat and beat >= now and beat - now < tonumber(silence) then noted = beat + 1 end

-- A claim also deletes expired records. It keeps the records of the last 100 dry runs and the last 100 changes that
-- have ended.
local out, idle = {}, { ['0'] = {}, ['1'] = {} }
each_field(operations, is_claim and PAGES or 0, function(other, record)
  local at, kind, stops, by = parse_operation(record)
  if other == handle then return end
  if not at or now - at > tonumber(record_kept) then
    out[#out + 1] = other
  elseif by == '' or now - at >= tonumber(silence) then
    idle[kind][#idle[kind] + 1] = { at, other }
  end
end)
for kind, some in pairs(idle) do
  table.sort(some, function(one, two) return one[1] > two[1] end)
  for i = MOST + (kind == dry_run and 1 or 2), #some do out[#out + 1] = some[i][2] end
end
-- This write cannot add data, so a full Redis also accepts the writes after it. An operation may free memory.
redis.call('HDEL', operations, '', unpack(out, 1, math.min(#out, MOST_OUT)))
local is_to_stop = not is_claim and stop == '1'
redis.call('HSET', operations, handle, '1:' .. text(noted) .. ':' .. dry_run .. ':' .. (is_to_stop and '1' or '0') .. ':'
  .. (act == 'end' and '' or runner) .. ':' .. content)
redis.call('PEXPIRE', operations, record_kept)
return is_to_stop and 'S' or 'G'
