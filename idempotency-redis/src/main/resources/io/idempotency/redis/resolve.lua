-- ARGV: fence, note, audit_ms, resolution (COMPLETED, FAILED or ABSENT), retention_ms, then the outcome as field, value, ...
if absent or not in_doubt() or record[FENCE] ~= ARGV[1] then
  return answer('stale', record)
end
although_full()
audited(ARGV[2], ARGV[3])
if ARGV[4] == 'ABSENT' then
  expire(0, record[FENCE])
else
  redis.call('HSET', key, 'fence', digits(higher(record[FENCE])))
  settle(ARGV[4], ARGV[5], 6)
end
return answer('applied')
