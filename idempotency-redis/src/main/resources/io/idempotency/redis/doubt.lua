-- ARGV: owner, fence, retention_ms, reason
if not held(ARGV[1], ARGV[2]) or not open() then
  return answer('stale', record)
end
if state == 'IN_DOUBT' then
  touch()
else
  although_full()
  redis.call('HSET', key, 'state', 'IN_DOUBT', 'settled_ms', digits(now_ms), 'doubt', ARGV[4])
  keep(ARGV[3])
  tell()
end
return answer('applied')
