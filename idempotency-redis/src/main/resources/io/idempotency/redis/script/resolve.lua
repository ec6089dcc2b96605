-- ARGV: fence, note, audit_ms, the settled state (A to forget it), retention_ms, the outcome
@head
@record

if absent or not in_doubt() or fence ~= struct.unpack('>I7', ARGV[1]) then
  return stale()
end
@trail
local decided = string.byte(ARGV[4])
if decided == ABSENT then
  forget()
else
  fence = higher(fence)
  settle(decided, ARGV[5], ARGV[6])
end
note(ARGV[2], ARGV[3])
return now_us
