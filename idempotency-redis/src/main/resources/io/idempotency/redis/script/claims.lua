-- The claims of many callers. KEYS: the record and the index of each. ARGV: of each what claim.lua takes. Answers now_us, then
-- for each what first.lua says; 0 where its caller has to ask claim.lua.
@layout
@process
local here = {['']=true}
local replies, room = {now_us}, 1048576 -- bytes of records; whoever replays more asks by himself
for i = 1, #KEYS / 2 do
  local key, open_index = KEYS[2 * i - 1], KEYS[2 * i]
  local identity, lease_ms, retention_ms, not_after_us, proven = unpack(ARGV, 6 * i - 5, 6 * i - 1)
  local reply = 0
  if not_after_us == '' or now_us <= tonumber(not_after_us) then
    local value = redis.pcall('GET', key)
    if not value and here[proven] == nil then
      here[proven] = proven == run_id()
    end
    local trusted = here[proven]
@first
    if type(reply) == 'string' then
      room = room - #reply
      reply = room >= 0 and reply or 0
    end
  end
  replies[i + 1] = reply
end
return replies
