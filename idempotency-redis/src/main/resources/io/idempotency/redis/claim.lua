-- ARGV: operation, fingerprint, owner, lease_ms, retention_ms, take_over (1 or 0), not_after_us (empty: at any time),
-- waits (1 or 0), run_id (the process whose durability is known, '-' when none is good enough; empty: any process)
local operation, fingerprint, owner, lease_ms, retention_ms, take_over, not_after_us, waits, proven = unpack(ARGV)

-- Its caller was told that the store did not answer: claimed now, nobody would ever settle it.
if not_after_us ~= '' and now_us > tonumber(not_after_us) then
  return answer('late')
end

-- The other times follow from the answer's; the caller knows the rest.
local function claimed(fence, attempt)
  return answer('claimed', {fence, attempt})
end

-- After a fail-over or a restart another process answers, and nobody knows yet what it does with its records.
local function run_id()
  local info = redis.pcall('INFO', 'server')
  return type(info) == 'string' and string.match(info, 'run_id:(%x+)') or ''
end

-- Redis looks at its memory when a script writes for the first time, and only if that command may need more of it. So
-- HSET comes first: a full Redis refuses the claim, and nothing was changed.
local function take(fence, attempt)
  if proven ~= '' and proven ~= run_id() then
    return answer('unproven', run_id())
  end
  fence, attempt = digits(fence), digits(attempt)
  redis.call('HSET', key, 'format', '1', 'operation', operation, 'fingerprint', fingerprint, 'owner', owner,
      'fence', fence, 'attempt', attempt, 'state', 'IN_PROGRESS',
      'claimed_ms', digits(now_ms), 'lease_until_ms', digits(now_ms + tonumber(lease_ms)))
  if existed then
    redis.call('HDEL', key, 'settled_ms', 'doubt', 'result', 'omitted', 'omitted_size',
        'failure_type', 'failure_message', 'failure_code')
  end
  if former_fence then
    redis.call('HDEL', key, 'waited_for')
  end
  keep(retention_ms, fence)
  return claimed(fence, attempt)
end

if absent then
  return take(former_fence and higher(former_fence) or now_us, 1)
end
if record[OPERATION] == operation and record[FINGERPRINT] == fingerprint then
  if record[OWNER] == owner and open() then
    touch()
    return claimed(record[FENCE], record[ATTEMPT])
  end
  if record[OWNER] ~= owner and take_over == '1' and in_doubt() then
    return take(higher(record[FENCE]), tonumber(record[ATTEMPT]) + 1)
  end
end
-- Written once: whoever settles the record then tells those who wait.
if waits == '1' and state == 'IN_PROGRESS' and redis.call('HGET', key, 'waited_for') ~= '1' then
  although_full()
  redis.call('HSET', key, 'waited_for', '1')
end
return answer('record', record)
