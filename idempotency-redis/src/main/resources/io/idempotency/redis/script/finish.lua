-- The owner settles in time, as nearly always: like settle() of record.lua, shortened, for `key` and its `value`. Sets `reply`:
-- 1 when it is done, what went wrong after '!', or leaves 0 for what takes a longer look.
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
      local gone = open_index and redis.pcall('ZREM', open_index, string.sub(key, -62))
      reply = type(gone) == 'table' and '!' .. gone.err or 1
    end
  end
end
