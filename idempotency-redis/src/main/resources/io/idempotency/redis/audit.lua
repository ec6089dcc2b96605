-- The trail's lines, also of a record that is absent.
local kept = audit_until_ms and tonumber(audit_until_ms) > now_ms
return answer('record', kept and redis.call('HGET', key, 'audit') or '')
