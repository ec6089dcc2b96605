-- ARGV: owner, fence
if absent then
  return answer('applied')
end
if not held(ARGV[1], ARGV[2]) or not open() then
  return answer('stale', record)
end
tell()
redis.call('DEL', key)
return answer('applied')
