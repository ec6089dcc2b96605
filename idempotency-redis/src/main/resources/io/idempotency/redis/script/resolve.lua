-- KEYS[3]: the audit trail. ARGV: fence, note, audit_ms, the settled state (A to forget it), retention_ms, the outcome
@head
@record

if absent or not in_doubt() or fence ~= struct.unpack('>I7', ARGV[1]) then
  return stale()
end
local trail = redis.pcall('GET', KEYS[3])
if type(trail) == 'table' then
  return answer('unreadable', 'its audit trail is something else than a text')
end
local decided = string.byte(ARGV[4])
if decided == ABSENT then
  forget()
else
  fence = higher(fence)
  settle(decided, ARGV[5], ARGV[6])
end
-- A key of its own: it is kept for as long as was said, whatever becomes of the record.
redis.call('APPEND', KEYS[3], ARGV[2] .. '\n')
redis.call('PEXPIRE', KEYS[3], ARGV[3])
return now_us
