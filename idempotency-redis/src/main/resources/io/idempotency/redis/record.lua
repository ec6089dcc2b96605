-- Stands before every verb. KEYS[1] is one record, a hash; the suffix of a name is its unit.
-- Answers {verdict, now_us, detail}; detail is the record's fields, or a text.
local key = KEYS[1]

-- Lua numbers are doubles, exact up to 2^53 = 9.0e15. Microseconds since 1970 are 1.8e15 and stay below until 2255;
-- numbers are written with %.0f, because tostring keeps 14 digits only.
local time = redis.call('TIME')
local now_us = tonumber(time[1]) * 1000000 + tonumber(time[2])
local now_ms = math.floor(now_us / 1000)

local function digits(number)
  return string.format('%.0f', number)
end

local function answer(verdict, detail)
  return {verdict, digits(now_us), detail}
end

-- RecordFields.java reads them in this order; what is missing is false.
local FORMAT, STATE, OPERATION, FINGERPRINT, OWNER, FENCE, ATTEMPT = 1, 2, 3, 4, 5, 6, 7
local CLAIMED_MS, LEASE_UNTIL_MS, EXPIRES_MS, SETTLED_MS, DOUBT = 8, 9, 10, 11, 12
local RESULT, OMITTED, OMITTED_SIZE, FAILURE_TYPE, AUDIT_UNTIL_MS = 13, 14, 15, 16, 19
local record = redis.pcall('HMGET', key, 'format', 'state', 'operation', 'fingerprint', 'owner', 'fence', 'attempt',
    'claimed_ms', 'lease_until_ms', 'expires_ms', 'settled_ms', 'doubt', 'result', 'omitted', 'omitted_size',
    'failure_type', 'failure_message', 'failure_code', 'audit_until_ms')
if record.err then
  return answer('unreadable', 'the key holds something else than a record (' .. record.err .. ')')
end
local state = record[STATE]
local audit_until_ms = record[AUDIT_UNTIL_MS]

local STATES = {IN_PROGRESS = true, IN_DOUBT = true, COMPLETED = true, FAILED = true}

-- As the scripts write numbers: Lua itself would take 0x10, 1e3 or nan for one, and a double is exact up to 2^53.
local function whole(text, greatest)
  return text and #text <= 16 and string.find(text, '^%d+$') and tonumber(text) <= (greatest or 9007199254740991)
end

local function has_outcome_of(settled)
  if settled == 'COMPLETED' then
    return record[RESULT] or record[OMITTED] and record[OMITTED_SIZE] and string.find(record[OMITTED_SIZE], '^%-?%d+$')
  end
  return settled ~= 'FAILED' or record[FAILURE_TYPE]
end

local function problem()
  if record[FORMAT] ~= '1' then
    return 'its format is ' .. (record[FORMAT] or 'missing') .. ', this version reads format 1'
  end
  if not STATES[state] then
    return 'its state is ' .. (state or 'missing')
  end
  if not (record[OPERATION] and record[FINGERPRINT] and record[OWNER]) then
    return 'its operation, fingerprint or owner is missing'
  end
  if not (whole(record[FENCE]) and whole(record[ATTEMPT], 2147483647)
      and whole(record[CLAIMED_MS]) and whole(record[LEASE_UNTIL_MS])
      and (not record[EXPIRES_MS] or whole(record[EXPIRES_MS]))
      and (not record[SETTLED_MS] or whole(record[SETTLED_MS]))
      and (not audit_until_ms or whole(audit_until_ms))) then
    return 'its fence, attempt or one of its times is no whole number'
  end
  if not has_outcome_of(state) then
    return 'it is ' .. state .. ', and its outcome is missing'
  end
end

-- Redis forgets by itself; this covers the time for which the fence is remembered, and a record whose TTL somebody removed.
local function over()
  return record[EXPIRES_MS] and tonumber(record[EXPIRES_MS]) <= now_ms
end

-- Master clocks differ, and are set back: a fence is remembered until the clock is so far past it. What operators decided
-- is remembered for as long as they said.
local FENCE_MEMORY_MS = 60000

local function forgotten_at_ms(expires_ms, fence)
  return math.max(expires_ms, math.floor(tonumber(fence) / 1000) + FENCE_MEMORY_MS, tonumber(audit_until_ms or 0))
end

-- Redis sets the TTL by the time at which the script began, so the two may differ by as long as it was held up. Who may
-- not ask for the TTL believes the field.
local function contradicted()
  local left_ms = redis.pcall('PTTL', key)
  return type(left_ms) == 'number'
      and now_ms + left_ms > forgotten_at_ms(tonumber(record[EXPIRES_MS]), record[FENCE]) + 1000
end

local absent = not record[FORMAT] and redis.call('EXISTS', key) == 0

-- What cannot be understood is neither changed nor taken for absent, whatever the verb.
if not absent then
  local found = problem() or over() and contradicted() and 'its expiry is over, and its time to live is not'
  if found then
    return answer('unreadable', found)
  end
  absent = over()
end
local existed = not not record[FORMAT]
-- A record that is over stays for a while, because of its fence.
local former_fence = absent and record[FENCE]
if absent then
  record, state = {}, nil
end

local function in_doubt()
  return state == 'IN_DOUBT' or state == 'IN_PROGRESS' and tonumber(record[LEASE_UNTIL_MS]) <= now_ms
end

local function higher(fence)
  return math.max(tonumber(fence) + 1, now_us)
end

local function held(owner, fence)
  return record[OWNER] == owner and record[FENCE] == fence
end

local function open()
  return state == 'IN_PROGRESS' or state == 'IN_DOUBT'
end

-- A full Redis refuses a script's first write when that command may need memory; HDEL cannot, and what follows a write
-- is let through. So whatever finishes work begins with this; only new claims do not.
local function although_full()
  redis.call('HDEL', key, 'no_such_field')
end

-- A repeated call changes nothing, but writes: since Redis 7.2 WAIT waits for the last write of its own connection,
-- and a call that is repeated after a reconnect must not find nothing to wait for.
local function touch()
  although_full()
  redis.call('HSET', key, 'owner', record[OWNER])
end

local function expire(expires_ms, fence)
  redis.call('HSET', key, 'expires_ms', digits(expires_ms))
  redis.call('PEXPIREAT', key, digits(forgotten_at_ms(expires_ms, fence)))
end

-- An empty retention keeps the record for ever.
local function keep(retention_ms, fence)
  if retention_ms == '' then
    redis.call('HDEL', key, 'expires_ms')
    redis.call('PERSIST', key)
  else
    expire(now_ms + tonumber(retention_ms), fence or record[FENCE])
  end
end

-- Before the record is settled, because its time to live depends on it. Nothing else changes these fields.
local function audited(note, audit_ms)
  local former = audit_until_ms and tonumber(audit_until_ms) > now_ms and redis.call('HGET', key, 'audit') or ''
  audit_until_ms = digits(now_ms + tonumber(audit_ms))
  redis.call('HSET', key, 'audit', former .. note .. '\n', 'audit_until_ms', audit_until_ms)
end

-- Says that the record was settled, if anybody waits for it. Users may be forbidden to publish: then those who wait
-- find out by themselves, and nothing else changes.
local function tell()
  if redis.call('HDEL', key, 'waited_for') == 1 then
    redis.pcall('PUBLISH', string.sub(key, 1, -65) .. 'settled', string.sub(key, -64))
  end
end

-- The outcome is the rest of ARGV, as field, value, ...
local function settle(settled, retention_ms, outcome)
  although_full()
  redis.call('HDEL', key, 'doubt')
  redis.call('HSET', key, 'state', settled, 'settled_ms', digits(now_ms), unpack(ARGV, outcome))
  keep(retention_ms)
  tell()
end

local function has_outcome(settled, outcome)
  if state ~= settled then
    return false
  end
  for i = outcome, #ARGV, 2 do
    if redis.call('HGET', key, ARGV[i]) ~= ARGV[i + 1] then
      return false
    end
  end
  return true
end

local function settle_as_owner(settled)
  if not held(ARGV[1], ARGV[2]) then
    return answer('stale', record)
  end
  if open() then
    settle(settled, ARGV[3], 4)
  elseif has_outcome(settled, 4) then
    touch()
  else
    return answer('stale', record)
  end
  return answer('applied')
end

