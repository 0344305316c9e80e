-- token_raise: lets the fencing tokens of a shard go on above those of another one, or reads how far they are.
-- KEYS[1] leases  HASH    id -> lease record
-- KEYS[2] token   STRING  fencing token given out last
-- ARGV[1] least_token  those given out from now on are higher; 0 to read only
-- Returns the token given out last, or least_token where that is higher; 0 if there was none
-- Cost: O(1)
local leases, token = KEYS[1], KEYS[2]
local least_token = tonumber(ARGV[1])

redis.call('HLEN', leases)
local last_token = parse_token(redis.call('GET', token))
if not last_token then return no_count() end
if least_token > last_token then
  allow_writes_when_full(leases)
  raise_token(token, last_token, least_token)
end
return text(math.max(last_token, least_token))
