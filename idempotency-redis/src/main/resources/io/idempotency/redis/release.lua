-- ARGV: owner, fence
if absent then
  return answer('applied')
end
-- Once others may have been told that it is in doubt, it stays.
if not held(ARGV[1], ARGV[2]) or state ~= 'IN_PROGRESS' or in_doubt() or record[DOUBT] then
  return answer('stale', record)
end
tell()
expire(0, record[FENCE])
return answer('applied')
