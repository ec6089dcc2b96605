-- ARGV: fence, resolution (COMPLETED, FAILED or ABSENT), retention_ms, then the outcome as field, value, ...
if absent or not in_doubt() or record.fence ~= ARGV[1] then
  return answer('stale', fields)
end
if ARGV[2] == 'ABSENT' then
  redis.call('DEL', key)
else
  redis.call('HSET', key, 'fence', digits(math.max(tonumber(record.fence) + 1, now_us)))
  settle(ARGV[2], ARGV[3], 4)
end
return answer('applied')
