-- KEYS: records of one slot. ARGV: state (its letter), older_than_ms, operation (empty: any). For every key the record when it
-- is of that state, age and operation, '!' and why when it cannot be understood, else nothing: results are not moved in vain.
local time = redis.call('TIME')
local now_us = time[1] * 1000000 + time[2]
local now_ms = (now_us - now_us % 1000) / 1000
local found = {now_us}

local function wanted(value)
  local state, lease_until_ms = string.byte(value, 3), struct.unpack('>I6', value, 18)
  if state == 80 and lease_until_ms <= now_ms then
    state = 68 -- in progress, and its lease is over: in doubt
  end
  local operation = 49 + string.byte(value, 45)
  return state == string.byte(ARGV[1]) and now_ms - struct.unpack('>I6', value, 12) >= tonumber(ARGV[2])
      and struct.unpack('>I6', value, 24) > now_ms
      and (ARGV[3] == '' or string.sub(value, operation + 1, operation + struct.unpack('>I2', value, operation - 3)) == ARGV[3])
end

for i, key in ipairs(KEYS) do
  local value = redis.pcall('GET', key)
  if not value then
    found[i + 1] = ''
  elseif value.err then
    found[i + 1] = '!the key holds something else than a record'
  elseif string.byte(value, 1) ~= 49 and string.byte(value, 1) ~= 50 or #value < 44 then
    found[i + 1] = '!its format is unknown'
  elseif #value < 50 + (string.byte(value, 45) or 0) then
    found[i + 1] = '' -- only its fence is remembered
  else
    found[i + 1] = wanted(value) and value or ''
  end
end
return found
