-- ARGV: fence and owner, retention_ms, lease_ms, what is said of a claim whose lease was over
@head
@record

if not held(ARGV[1]) or state ~= IN_PROGRESS then
  return stale()
end
local expires_ms = until_ms(ARGV[2])
local record = head(IN_PROGRESS, attempt, claimed_ms, now_ms + ARGV[3], expires_ms, 0, size, fence)
    .. (in_doubt() and string.sub(value, HEAD + 1, kept) .. ARGV[4] or string.sub(value, HEAD + 1))
put(string.sub(value, 1, 2) .. string.sub(record, 3), expires_ms, fence)
index(claimed_ms)
return now_us
