-- ARGV: owner, fence, retention_ms, lease_ms
if not held(ARGV[1], ARGV[2]) or state ~= 'IN_PROGRESS' then
  return answer('stale', record)
end
although_full()
if in_doubt() then
  redis.call('HSET', key, 'doubt', 'its lease was over before it was renewed')
end
redis.call('HSET', key, 'lease_until_ms', digits(now_ms + tonumber(ARGV[4])))
keep(ARGV[3])
return answer('applied')
