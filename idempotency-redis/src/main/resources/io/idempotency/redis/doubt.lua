-- ARGV: fence and owner, retention_ms, reason
@head
@record

if not held(ARGV[1]) or not open() then
  return stale()
end
if state == IN_DOUBT then
  touch()
else
  local expires_ms = until_ms(ARGV[2])
  put(head(IN_DOUBT, attempt, claimed_ms, lease_until_ms, expires_ms, now_ms, size, fence)
      .. string.sub(value, HEAD + 1, HEAD + size) .. ARGV[3], expires_ms, fence)
  index(claimed_ms)
  tell()
end
return now_us
