-- The claims of many callers. KEYS: the record and the index of each. ARGV: of each what claim.lua takes. Answers now_us, then
-- for each what first.lua says; 0 where its caller has to ask claim.lua.
@layout
@process
local here = {['']=true}
local replies = {now_us}
for i = 1, #KEYS / 2 do
  local key, open_index = KEYS[2 * i - 1], KEYS[2 * i]
  local identity, lease_ms, retention_ms, not_after_us, proven = unpack(ARGV, 6 * i - 5, 6 * i - 1)
  local reply = 0
  if not_after_us == '' or now_us <= tonumber(not_after_us) then
    local value = redis.pcall('GET', key)
    if here[proven] == nil then
      here[proven] = proven == run_id()
    end
    local trusted = here[proven]
@first
  end
  replies[i + 1] = reply
end
return replies
