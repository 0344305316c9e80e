-- token_raise: raises the token counter of a shard above the tokens of another shard, or reads it.
-- KEYS[1] leases  HASH    id -> lease record
-- KEYS[2] token   STRING  the last fencing token issued
-- ARGV[1] least_token  NUMBER later tokens of this shard are higher; 0 to read only
-- Returns the last token issued, or least_token if that is higher; 0 for none
-- Cost: O(1)

redis.call('HLEN', leases)
local last_token = parse_token(redis.call('GET', token))
if not last_token then return no_count() end
if least_token > last_token then
  allow_writes_when_full(leases)
  raise_token(token, last_token, least_token)
end
return text(math.max(last_token, least_token))
