-- What stands before the verbs. A line of --- and a name begins a section; a line of @ and a name stands for that section.

--- head
-- Reads KEYS[1], the record. KEYS[2] is the index of what is open among its neighbours, missing while their slot moves. A verb
-- answers now_us where it did what was asked, else {now_us, record} or {now_us, verdict, detail, ...}: an array of texts costs
-- as much as a SET. No functions here: building them costs more than the work of a first call.
--
-- A record is one string: format, waited, state, check, attempt, claimed_ms, lease_until_ms, expires_ms, settled_ms, size and
-- fence by LAYOUT (44 bytes), then who and what (`size` bytes), then its outcome or its doubt. In front of a doubt a record of
-- format 2 has its length in four bytes and the claim's arguments. PackedRecord.java writes and checks what follows the
-- first 44 bytes. The suffix of a name is its unit.
local LAYOUT = '>BBBI4I4I6I6I6I6I2I7'
local FORMAT, WITH_ARGUMENTS, UNTOLD, WAITED = 49, 50, 45, 119 -- 1, 2, -, w
local IN_PROGRESS, IN_DOUBT, COMPLETED, FAILED, ABSENT = 80, 68, 67, 70, 65 -- P, D, C, F, A
local HEAD, FOREVER, PRIME = 44, 281474976710655, 4294967291

local time = redis.call('TIME')
-- Lua numbers are doubles, exact up to 2^53 = 9.0e15. Microseconds since 1970 are 1.8e15 and stay below until 2255.
local now_us = time[1] * 1000000 + time[2]
local now_ms = (now_us - now_us % 1000) / 1000
local key, open_index = KEYS[1], KEYS[2]
local value = redis.pcall('GET', key)

--- record
-- Reads the record where more is to be done than the common case. What cannot be understood is neither changed nor taken
-- for absent.
local function answer(verdict, detail)
  return {now_us, verdict, detail}
end

-- A number with exact digits: tostring keeps 14 of them only.
local function digits(number)
  return string.format('%.0f', number)
end

-- So that no number of a record changes unnoticed; below 2^53 for all that fits the layout.
local function check_of(state, attempt, claimed_ms, lease_until_ms, expires_ms, settled_ms, size, fence)
  return (state + 3 * attempt + 5 * claimed_ms + 7 * lease_until_ms + 11 * expires_ms + 13 * settled_ms + 17 * size
      + fence % PRIME) % PRIME
end

local function head(state, attempt, claimed_ms, lease_until_ms, expires_ms, settled_ms, size, fence)
  return struct.pack(LAYOUT, FORMAT, UNTOLD, state,
      check_of(state, attempt, claimed_ms, lease_until_ms, expires_ms, settled_ms, size, fence),
      attempt, claimed_ms, lease_until_ms, expires_ms, settled_ms, size, fence)
end

local absent = value == false
local format, waited, state, check, attempt, claimed_ms, lease_until_ms, expires_ms, settled_ms, size, fence
local former_fence
local kept -- where what an open record keeps is over: who, what, and the arguments

local STATES = {[IN_PROGRESS] = true, [IN_DOUBT] = true, [COMPLETED] = true, [FAILED] = true, [ABSENT] = true}

local function checked()
  if type(value) ~= 'string' then
    return 'the key holds something else than a record (' .. tostring(value.err) .. ')'
  end
  if string.byte(value, 1) ~= FORMAT and string.byte(value, 1) ~= WITH_ARGUMENTS then
    return 'its format is ' .. (string.match(value, '^[%w%p]') or 'missing') .. ', this version reads formats 1 and 2'
  end
  if #value < HEAD then
    return 'it is cut off'
  end
  format, waited, state, check, attempt, claimed_ms, lease_until_ms, expires_ms, settled_ms, size, fence =
      struct.unpack(LAYOUT, value)
  if check ~= check_of(state, attempt, claimed_ms, lease_until_ms, expires_ms, settled_ms, size, fence) then
    return 'one of its numbers was changed'
  end
  if not STATES[state] then
    return 'its state is ' .. state
  end
  local what = HEAD + size - 8
  if #value < HEAD + size or size > 0 and string.sub(value, what + 1, what + 8)
      ~= string.sub(redis.sha1hex(string.sub(value, HEAD + 1, what)), 1, 8) then
    return 'its owner, operation or fingerprint was changed'
  end
  kept = HEAD + size
  if format == WITH_ARGUMENTS then
    kept = kept + (struct.unpack('>I4', value .. '\255\255\255\255', kept + 1))
    if #value < kept then
      return 'its arguments are cut off'
    end
  end
end

-- Master clocks differ, and are set back: a fence is remembered until the clock is so far past it.
local FENCE_MEMORY_MS = 60000

local function forgotten_at_ms(expires_ms, fence)
  return math.max(expires_ms, math.floor(fence / 1000) + FENCE_MEMORY_MS)
end

-- Redis sets the TTL by the time at which the script began, so the two may differ by as long as it was held up. Who may
-- not ask for the TTL believes the field.
local function contradicted()
  local left_ms = redis.pcall('PTTL', key)
  return type(left_ms) == 'number' and now_ms + left_ms > forgotten_at_ms(expires_ms, fence) + 1000
end

if not absent then
  local found = checked()
  -- Redis forgets by itself; this covers the time for which the fence is remembered, and a record whose TTL somebody removed.
  local over = not found and expires_ms <= now_ms
  if over and contradicted() then
    found = 'its expiry is over, and its time to live is not'
  end
  if found then
    return answer('unreadable', found)
  end
  if over then
    absent, former_fence, state = true, fence, nil
  end
end

local function in_doubt()
  return state == IN_DOUBT or state == IN_PROGRESS and lease_until_ms <= now_ms
end

local function higher(fence)
  return math.max(fence + 1, now_us)
end

-- Fence and owner, as Ownership has them.
local function held(by)
  return not absent and string.sub(value, 38, 37 + #by) == by
end

local function open()
  return state == IN_PROGRESS or state == IN_DOUBT
end

-- An empty retention keeps the record for ever.
local function until_ms(retention_ms)
  return retention_ms == '' and FOREVER or now_ms + retention_ms
end

local function left_ms(expires_ms, fence)
  return digits(math.max(1, forgotten_at_ms(expires_ms, fence) - now_ms))
end

-- A full Redis refuses a script's first write when that command may need memory, and lets pass what follows a write. So
-- whatever finishes work then begins with the time to live; new claims do not.
local function put(record, expires_ms, fence)
  if expires_ms == FOREVER then
    if redis.pcall('SET', key, record).err then
      redis.call('PERSIST', key)
      redis.call('SET', key, record)
    end
    return
  end
  local left = left_ms(expires_ms, fence)
  if redis.pcall('SET', key, record, 'PX', left).err then
    redis.call('PEXPIRE', key, left)
    redis.call('SET', key, record, 'PX', left)
  end
end

-- A repeated call changes nothing, but writes: since Redis 7.2 WAIT waits for the last write of its own connection,
-- and a call that is repeated after a reconnect must not find nothing to wait for.
local function touch()
  put(value, expires_ms, fence)
end

-- Says that the record was settled, if anybody waits for it. Users may be forbidden to publish: then those who wait
-- find out by themselves, and nothing else changes.
local function tell()
  if waited == WAITED then
    redis.pcall('PUBLISH', string.sub(key, 1, -67) .. 'settled', string.sub(key, -65, -64) .. string.sub(key, -62))
  end
end

-- Without open_index the slot is moving, and only half of what is needed is here. So whoever comes by later says it again;
-- a full Redis does not take it from those who only read.
local function index(claimed_ms)
  if open_index then
    redis.pcall('ZADD', open_index, digits(math.floor(claimed_ms / 1000)), string.sub(key, -62))
  end
end

-- Whoever reads that a lease is over tells others. So it is kept: a clock that is set back would let its owner release it.
local LEASE_OVER = 'its lease was over when it was read'
local function seen()
  if state == IN_PROGRESS and lease_until_ms <= now_ms and #value == kept then
    value = value .. string.sub(redis.sha1hex(LEASE_OVER), 1, 8) .. LEASE_OVER
    put(value, expires_ms, fence)
  end
  return value
end

local function stale()
  return answer('stale', absent and '' or seen())
end

-- What is over or settled is not looked for any more.
local function close()
  if open_index then
    redis.call('ZREM', open_index, string.sub(key, -62))
  end
end

-- Leaves the fence, and nothing else.
local function forget()
  put(head(ABSENT, attempt, claimed_ms, lease_until_ms, 0, now_ms, 0, fence), 0, fence)
  close()
  tell()
end

local function settle(settled, retention_ms, outcome)
  local expires_ms = until_ms(retention_ms)
  put(head(settled, attempt, claimed_ms, lease_until_ms, expires_ms, now_ms, size, fence)
      .. string.sub(value, HEAD + 1, HEAD + size) .. outcome, expires_ms, fence)
  close()
  tell()
end
