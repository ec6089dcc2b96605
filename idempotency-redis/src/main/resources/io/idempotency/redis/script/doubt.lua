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
  put(string.sub(value, 1, 1) .. string.sub(head(IN_DOUBT, attempt, claimed_ms, lease_until_ms, expires_ms, now_ms, size, fence), 2)
      .. string.sub(value, HEAD + 1, kept) .. ARGV[3], expires_ms, fence)
  index(claimed_ms)
  tell()
end
return now_us
