-- KEYS[3] is the audit trail: a key of its own, kept for as long as its last note says, whatever becomes of the record.
if type(redis.pcall('GET', KEYS[3])) == 'table' then
  return answer('unreadable', 'its audit trail is something else than a text')
end
local function note(text, kept_ms)
  redis.call('APPEND', KEYS[3], text .. '\n')
  redis.call('PEXPIRE', KEYS[3], kept_ms)
end
