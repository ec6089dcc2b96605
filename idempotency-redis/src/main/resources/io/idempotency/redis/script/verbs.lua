-- The verbs, each a script on one record; the last one looks at many.

--- claim
-- ARGV: identity, lease_ms, retention_ms (empty: for ever), not_after_us (empty: at any time), run_id (the process whose
-- durability is known, '-' when none is good enough; empty: any process), wishes (t: take over, w: the caller waits,
-- r: replicas acknowledge),
-- arguments (none: not given)
@head
local identity, lease_ms, retention_ms, proven = ARGV[1], ARGV[2], ARGV[3], ARGV[5]

-- Its caller was told that the store did not answer: claimed now, nobody would ever settle it.
if ARGV[4] ~= '' and now_us > tonumber(ARGV[4]) then
  return {now_us, 'late', ''}
end

-- After a fail-over or a restart another process answers, and nobody knows yet what it does with its records.
local function run_id()
  local info = redis.pcall('INFO', 'server')
  return type(info) == 'string' and string.match(info, 'run_id:(%x+)') or ''
end

-- The common cases, shortened: a first call, whose fence is now_us, and a replay, of which the caller checks the rest.
if not value then
  if not ARGV[7] and retention_ms ~= '' and tonumber(retention_ms) >= 60000 and (proven == '' or proven == run_id()) then
    -- Like take(now_us, 1). A full Redis refuses SET, and nothing was changed.
    local lease_until_ms, expires_ms, size = now_ms + lease_ms, now_ms + retention_ms, #identity
    local made = redis.pcall('SET', key, struct.pack(LAYOUT, FORMAT, UNTOLD, IN_PROGRESS,
        (IN_PROGRESS + 3 + 5 * now_ms + 7 * lease_until_ms + 11 * expires_ms + 17 * size + now_us % PRIME) % PRIME,
        1, now_ms, lease_until_ms, expires_ms, 0, size, now_us) .. identity, 'PX', retention_ms)
    if not made.err then
      if open_index then
        redis.call('ZADD', open_index, time[1], string.sub(key, -62))
      end
      return now_us
    end
  end
elseif not value.err and string.byte(value, 1) == FORMAT and #value > HEAD then
  local state = string.byte(value, 3)
  if (state == COMPLETED or state == FAILED) and struct.unpack('>I6', value, 24) > now_ms then
    return {now_us, value}
  end
end

@record

-- Redis looks at its memory when a script writes for the first time, and only if that command may need more of it. So
-- SET comes first: a full Redis refuses the claim, and nothing was changed.
local function take(fence, attempt)
  if proven ~= '' and proven ~= run_id() then
    return answer('unproven', run_id())
  end
  local expires_ms = until_ms(retention_ms)
  local record = head(IN_PROGRESS, attempt, now_ms, now_ms + lease_ms, expires_ms, 0, #identity, fence) .. identity
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
  if string.find(ARGV[6], 'r') then
    touch() -- its caller is told for good that the outcome is unknown: so replicas have to know the record
  end
end
-- Written once: whoever settles the record then tells those who wait.
if string.find(ARGV[6], 'w') and state == IN_PROGRESS and waited ~= WAITED then
  put(string.sub(value, 1, 1) .. 'w' .. string.sub(value, 3), expires_ms, fence)
end
return {now_us, value}

--- settle
-- ARGV: fence and owner, retention_ms (empty: for ever), the settled state, the outcome
@head
local by, retention_ms, settled, outcome = unpack(ARGV)

-- The owner settles in time, as nearly always: like settle() below, shortened.
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
      if open_index then
        redis.call('ZREM', open_index, string.sub(key, -62))
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

--- renew
-- ARGV: fence and owner, retention_ms, lease_ms, what is said of a claim whose lease was over
@head
@record

if not held(ARGV[1]) or state ~= IN_PROGRESS then
  return stale()
end
local expires_ms = until_ms(ARGV[2])
local record = head(IN_PROGRESS, attempt, claimed_ms, now_ms + ARGV[3], expires_ms, 0, size, fence)
    .. (in_doubt() and string.sub(value, HEAD + 1, kept) .. ARGV[4] or string.sub(value, HEAD + 1))
put(string.sub(value, 1, 2) .. string.sub(record, 3), expires_ms, fence)
index(claimed_ms)
return now_us

--- doubt
-- ARGV: fence and owner, retention_ms, reason
@head
@record

if not held(ARGV[1]) or not open() then
  return stale()
end
if state == IN_DOUBT then
  touch()
else
  local expires_ms = until_ms(ARGV[2])
  put(string.sub(value, 1, 1) .. string.sub(head(IN_DOUBT, attempt, claimed_ms, lease_until_ms, expires_ms, now_ms, size, fence), 2)
      .. string.sub(value, HEAD + 1, kept) .. ARGV[3], expires_ms, fence)
  index(claimed_ms)
  tell()
end
return now_us

--- release
-- ARGV: fence and owner
@head
@record

if absent then
  return now_us
end
-- Once others may have been told that it is in doubt, it stays.
if not held(ARGV[1]) or state ~= IN_PROGRESS or in_doubt() or #value > kept then
  return stale()
end
forget()
return now_us

--- find
@head
@record

return absent and now_us or {now_us, seen()}

--- trail
-- KEYS[3] is the audit trail: a key of its own, kept for as long as its last note says, whatever becomes of the record.
if type(redis.pcall('GET', KEYS[3])) == 'table' then
  return answer('unreadable', 'its audit trail is something else than a text')
end
local function note(text, kept_ms)
  redis.call('APPEND', KEYS[3], text .. '\n')
  redis.call('PEXPIRE', KEYS[3], kept_ms)
end

--- resolve
-- ARGV: fence, note, audit_ms, the settled state (A to forget it), retention_ms, the outcome
@head
@record

if absent or not in_doubt() or fence ~= struct.unpack('>I7', ARGV[1]) then
  return stale()
end
@trail
local decided = string.byte(ARGV[4])
if decided == ABSENT then
  forget()
else
  fence = higher(fence)
  settle(decided, ARGV[5], ARGV[6])
end
note(ARGV[2], ARGV[3])
return now_us

--- erase
-- ARGV: note, audit_ms, the outcome of a result that was erased, the doubt whose reason was erased
@head
@record

if absent or state == IN_PROGRESS and not in_doubt() then
  return stale()
end
@trail
seen()
local left = string.sub(value, kept + 1)
if state == COMPLETED then
  left = ARGV[3]
elseif state == IN_DOUBT then
  left = ARGV[4]
elseif state == FAILED then
  -- its type stays, its message and code do not
  left = string.sub(left, 9, 12 + struct.unpack('>I4', left, 9)) .. string.rep('\255', 8)
  left = string.sub(redis.sha1hex(left), 1, 8) .. left
end
put(string.char(FORMAT) .. string.sub(value, 2, HEAD + size) .. left, expires_ms, fence)
note(ARGV[1], ARGV[2])
return now_us

--- sweep
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
