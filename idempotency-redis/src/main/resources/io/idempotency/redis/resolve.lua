-- ARGV: fence, resolution (COMPLETED, FAILED or ABSENT), retention_ms, then the outcome as field, value, ...
if absent or not in_doubt() or record[FENCE] ~= ARGV[1] then
  return answer('stale', record)
end
although_full()
if ARGV[2] == 'ABSENT' then
  expire(0, record[FENCE])
else
  redis.call('HSET', key, 'fence', digits(higher(record[FENCE])))
  settle(ARGV[2], ARGV[3], 4)
end
return answer('applied')
