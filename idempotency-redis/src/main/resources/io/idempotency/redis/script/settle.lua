-- ARGV: fence and owner, retention_ms (empty: for ever), the settled state, the outcome
@head
local by, retention_ms, settled, outcome = unpack(ARGV)

local reply = 0
@finish
if reply == 1 then
  return now_us
elseif reply ~= 0 then
  return {now_us, reply}
end

@record

settled = string.byte(settled)
if not held(by) then
  return stale()
end
if open() then
  settle(settled, retention_ms, outcome)
elseif state == settled and string.sub(value, HEAD + size + 1) == outcome then
  touch()
else
  return stale()
end
return now_us
