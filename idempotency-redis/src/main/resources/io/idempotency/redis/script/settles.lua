-- The outcomes of many callers. KEYS: the record and the index of each. ARGV: of each what settle.lua takes. Answers now_us,
-- then for each what finish.lua says; 0 where its caller has to ask settle.lua.
@layout
local replies = {now_us}
for i = 1, #KEYS / 2 do
  local key, open_index = KEYS[2 * i - 1], KEYS[2 * i]
  local by, retention_ms, settled, outcome = unpack(ARGV, 4 * i - 3, 4 * i)
  local value = redis.pcall('GET', key)
  local reply = 0
@finish
  replies[i + 1] = reply
end
return replies
