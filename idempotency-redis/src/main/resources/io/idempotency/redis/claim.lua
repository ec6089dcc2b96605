-- ARGV: operation, fingerprint, owner, lease_ms, retention_ms, take_over (1 or 0), not_after_us (empty: at any time)
local operation, fingerprint, owner, lease_ms, retention_ms, take_over, not_after_us = unpack(ARGV)

-- Its caller was told that the store did not answer: claimed now, nobody would ever settle it.
if not_after_us ~= '' and now_us > tonumber(not_after_us) then
  return answer('late')
end

local function take(fence, attempt)
  redis.call('HSET', key, 'format', '1', 'operation', operation, 'fingerprint', fingerprint, 'owner', owner,
      'fence', digits(fence), 'attempt', digits(attempt), 'state', 'IN_PROGRESS',
      'claimed_ms', digits(now_ms), 'lease_until_ms', digits(now_ms + tonumber(lease_ms)))
  keep(retention_ms)
end

if absent then
  redis.call('DEL', key)
  take(now_us, 1)
elseif record.operation ~= operation or record.fingerprint ~= fingerprint then
  return answer('record', fields)
elseif record.owner == owner then
  touch()
elseif take_over == '1' and in_doubt() then
  redis.call('HDEL', key, 'doubt', 'settled_ms')
  take(math.max(tonumber(record.fence) + 1, now_us), tonumber(record.attempt) + 1)
else
  return answer('record', fields)
end
return answer('claimed', redis.call('HGETALL', key))
