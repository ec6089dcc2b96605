-- KEYS: an index, then records that it names. Removes those from it that are not open any more.
local time = redis.call('TIME')
local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
local removed = 0
for i = 2, #KEYS do
  local value = redis.pcall('GET', KEYS[i])
  local open = value
  if value and not value.err and string.byte(value, 1) == 49 and #value >= 44 then
    local state = string.byte(value, 3)
    open = (state == 80 or state == 68) and struct.unpack('>I6', value, 24) > now_ms
  end
  if not open then
    removed = removed + redis.call('ZREM', KEYS[1], string.sub(KEYS[i], -62))
  end
end
return removed
