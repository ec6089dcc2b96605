-- ARGV: fence and owner, retention_ms (empty: for ever), the settled state, the outcome
local by, retention_ms, settled, outcome = unpack(ARGV)

-- The owner is in time, as nearly always: like settle() below, shortened. What it was refused for, is looked at there.
if value and not value.err and string.byte(value, 1) == FORMAT and #value > HEAD
    and retention_ms ~= '' and tonumber(retention_ms) >= 60000 and string.sub(value, 38, 37 + #by) == by then
  local _, waited, state, check, attempt, claimed_ms, lease_until_ms, expires_ms, settled_ms, size, fence =
      struct.unpack(LAYOUT, value)
  local numbers = 3 * attempt + 5 * claimed_ms + 7 * lease_until_ms + 17 * size + fence % PRIME
  if state == IN_PROGRESS and waited == UNTOLD and expires_ms > now_ms and fence <= now_us and #value >= HEAD + size
      and check == (state + numbers + 11 * expires_ms + 13 * settled_ms) % PRIME then
    local next_state, next_expires_ms = string.byte(settled), now_ms + retention_ms
    local done = redis.pcall('SET', key, struct.pack(LAYOUT, FORMAT, UNTOLD, next_state,
        (next_state + numbers + 11 * next_expires_ms + 13 * now_ms) % PRIME,
        attempt, claimed_ms, lease_until_ms, next_expires_ms, now_ms, size, fence)
        .. string.sub(value, HEAD + 1, HEAD + size) .. outcome, 'PX', retention_ms)
    if not done.err then
      if KEYS[2] then
        redis.call('ZREM', KEYS[2], string.sub(key, -62))
      end
      return now_us
    end
  end
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
