-- Stands before every verb. KEYS[1] is one record, a hash; the suffix of a name is its unit.
-- Answers {verdict, now_us, detail}; detail is the record as field, value, ... or a text.
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

local fields = redis.pcall('HGETALL', key)
if fields.err then
  return answer('unreadable', 'the key holds something else than a record (' .. fields.err .. ')')
end
local record = {}
for i = 1, #fields, 2 do
  record[fields[i]] = fields[i + 1]
end

local STATES = {IN_PROGRESS = true, IN_DOUBT = true, COMPLETED = true, FAILED = true}

local function problem()
  if record.format ~= '1' then
    return 'its format is ' .. tostring(record.format) .. ', this version reads format 1'
  end
  if not STATES[record.state] then
    return 'its state is ' .. tostring(record.state)
  end
  for _, field in ipairs({'operation', 'fingerprint', 'owner'}) do
    if not record[field] then
      return 'the field ' .. field .. ' is missing'
    end
  end
  for _, field in ipairs({'fence', 'attempt', 'claimed_ms', 'lease_until_ms'}) do
    if not string.match(record[field] or '', '^%d+$') or #record[field] > 16 then
      return 'the field ' .. field .. ' is no number'
    end
  end
  if record.expires_ms and not tonumber(record.expires_ms) then
    return 'the field expires_ms is no number'
  end
end

-- What cannot be understood is neither changed nor taken for absent, whatever the verb.
if #fields > 0 then
  local found = problem()
  if found then
    return answer('unreadable', found)
  end
end

-- Redis forgets by itself; this covers the last millisecond, and a record whose TTL somebody removed.
if record.expires_ms and tonumber(record.expires_ms) <= now_ms then
  fields, record = {}, {}
end
local absent = #fields == 0

local function in_doubt()
  return record.state == 'IN_DOUBT'
      or record.state == 'IN_PROGRESS' and tonumber(record.lease_until_ms) <= now_ms
end

local function held(owner, fence)
  return record.owner == owner and record.fence == fence
end

local function open()
  return record.state == 'IN_PROGRESS' or record.state == 'IN_DOUBT'
end

-- A repeated call changes nothing, but writes: since Redis 7.2 WAIT waits for the last write of its own connection,
-- and a call that is repeated after a reconnect must not find nothing to wait for.
local function touch()
  redis.call('HSET', key, 'owner', record.owner)
end

-- An empty retention keeps the record for ever.
local function keep(retention_ms)
  if retention_ms == '' then
    redis.call('HDEL', key, 'expires_ms')
    redis.call('PERSIST', key)
  else
    local expires_ms = digits(now_ms + tonumber(retention_ms))
    redis.call('HSET', key, 'expires_ms', expires_ms)
    redis.call('PEXPIREAT', key, expires_ms)
  end
end

-- The outcome is the rest of ARGV, as field, value, ...
local function settle(state, retention_ms, outcome)
  redis.call('HDEL', key, 'doubt')
  redis.call('HSET', key, 'state', state, 'settled_ms', digits(now_ms), unpack(ARGV, outcome))
  keep(retention_ms)
end

local function has_outcome(state, outcome)
  if record.state ~= state then
    return false
  end
  for i = outcome, #ARGV, 2 do
    if record[ARGV[i]] ~= ARGV[i + 1] then
      return false
    end
  end
  return true
end

local function settle_as_owner(state)
  if not held(ARGV[1], ARGV[2]) then
    return answer('stale', fields)
  end
  if open() then
    settle(state, ARGV[3], 4)
  elseif has_outcome(state, 4) then
    touch()
  else
    return answer('stale', fields)
  end
  return answer('applied')
end

