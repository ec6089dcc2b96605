-- ARGV: note, audit_ms, the outcome of a result that was erased, the doubt whose reason was erased
@head
@record

if absent or state == IN_PROGRESS and not in_doubt() then
  return stale()
end
@trail
seen()
local left = string.sub(value, kept + 1)
if state == COMPLETED then
  left = ARGV[3]
elseif state == IN_DOUBT then
  left = ARGV[4]
elseif state == FAILED then
  -- its type stays, its message and code do not
  left = string.sub(left, 9, 12 + struct.unpack('>I4', left, 9)) .. string.rep('\255', 8)
  left = string.sub(redis.sha1hex(left), 1, 8) .. left
end
put(string.char(FORMAT) .. string.sub(value, 2, HEAD + size) .. left, expires_ms, fence)
note(ARGV[1], ARGV[2])
return now_us
