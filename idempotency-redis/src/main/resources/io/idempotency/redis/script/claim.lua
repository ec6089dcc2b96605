-- ARGV: identity, lease_ms, retention_ms (empty: for ever), not_after_us (empty: at any time), run_id (the process whose
-- durability is known, '-' when none is good enough; empty: any process), wishes (t: take over, w: the caller waits),
-- arguments (none: not given)
@head
local identity, retention_ms, proven = ARGV[1], ARGV[3], ARGV[5]

-- Its caller was told that the store did not answer: claimed now, nobody would ever settle it.
if ARGV[4] ~= '' and now_us > tonumber(ARGV[4]) then
  return {now_us, 'late', ''}
end

@process
local lease_ms, reply = ARGV[2], 0
local trusted = not ARGV[7] and (proven == '' or not value and proven == run_id())
@first
if reply == 1 then
  return now_us
elseif reply ~= 0 then
  return {now_us, reply}
end

@record

-- Redis looks at its memory when a script writes for the first time, and only if that command may need more of it. So
-- SET comes first: a full Redis refuses the claim, and nothing was changed.
local function take(fence, attempt)
  if proven ~= '' and proven ~= run_id() then
    return answer('unproven', run_id())
  end
  local expires_ms = until_ms(retention_ms)
  local record = head(IN_PROGRESS, attempt, now_ms, now_ms + ARGV[2], expires_ms, 0, #identity, fence) .. identity
  if ARGV[7] then
    record = string.char(WITH_ARGUMENTS) .. string.sub(record, 2) .. ARGV[7]
  end
  if expires_ms == FOREVER then
    redis.call('SET', key, record)
  else
    redis.call('SET', key, record, 'PX', left_ms(expires_ms, fence))
  end
  index(now_ms)
  return {now_us, 'claimed', fence, attempt}
end

if absent then
  return take(former_fence and higher(former_fence) or now_us, 1)
end
local owner = 1 + string.byte(identity)
if string.sub(value, HEAD + 2 + string.byte(value, HEAD + 1), HEAD + size - 8) == string.sub(identity, owner + 1, -9) then
  local own = string.sub(value, HEAD + 1, HEAD + owner) == string.sub(identity, 1, owner)
  if own and open() then
    touch()
    return {now_us, 'claimed', fence, attempt}
  end
  if not own and string.find(ARGV[6], 't') and in_doubt() then
    return take(higher(fence), attempt + 1)
  end
end
if in_doubt() then
  index(claimed_ms)
  seen()
end
-- Written once: whoever settles the record then tells those who wait.
if string.find(ARGV[6], 'w') and state == IN_PROGRESS and waited ~= WAITED then
  put(string.sub(value, 1, 1) .. 'w' .. string.sub(value, 3), expires_ms, fence)
end
return {now_us, value}
