-- The common cases of a claim, shortened, for `key` and its `value`. Sets `reply`: 1 for a first call, whose fence is now_us;
-- the record to replay, of which the caller checks the rest; what went wrong after '!'; or leaves 0 for what takes a longer look.
if not value then
  -- Like take(now_us, 1) of claim.lua. A full Redis refuses SET, and nothing was changed.
  if trusted and retention_ms ~= '' and tonumber(retention_ms) >= 60000 then
    local lease_until_ms, expires_ms, size = now_ms + lease_ms, now_ms + retention_ms, #identity
    local made = redis.pcall('SET', key, struct.pack(LAYOUT, FORMAT, UNTOLD, IN_PROGRESS,
        (IN_PROGRESS + 3 + 5 * now_ms + 7 * lease_until_ms + 11 * expires_ms + 17 * size + now_us % PRIME) % PRIME,
        1, now_ms, lease_until_ms, expires_ms, 0, size, now_us) .. identity, 'PX', retention_ms)
    if not made.err then
      local named = open_index and redis.pcall('ZADD', open_index, time[1], string.sub(key, -62))
      reply = type(named) == 'table' and '!' .. named.err or 1
    end
  end
elseif not value.err and string.byte(value, 1) == FORMAT and #value > HEAD then
  local state = string.byte(value, 3)
  if (state == COMPLETED or state == FAILED) and struct.unpack('>I6', value, 24) > now_ms then
    reply = value
  end
end
