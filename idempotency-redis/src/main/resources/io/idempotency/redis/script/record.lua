-- How a record is read and written. A line of --- and a name begins a section; a line of @ and a name stands for that section. All
-- is flat text, because Redis runs all of it for every call: building a function costs as much as a short command.

--- read
-- Reads KEYS[1], the record. KEYS[2] is the index of the open records of its slot, missing while that slot moves. A verb answers
-- now_us where it did what was asked, else {now_us, record} or {now_us, verdict, detail}: each text costs as much as a SET.
--
-- A record is one string: format, waited, state, check, attempt, claimed_ms, lease_until_ms, expires_ms, settled_ms, size and
-- fence by LAYOUT (44 bytes); then its identity, `size` bytes of owner, operation and fingerprint with a checksum; in format 2 the
-- claim's arguments, behind their length; then the rest, an outcome or a doubt with a checksum. PackedRecord.java writes what
-- follows the first 44 bytes. The suffix of a name is its unit.
local LAYOUT = '>BBBI4I4I6I6I6I6I2I7'
local FORMAT, WITH_ARGUMENTS, UNTOLD, WAITED = 49, 50, 45, 119 -- 1, 2, -, w
local IN_PROGRESS, IN_DOUBT, COMPLETED, FAILED, ABSENT = 80, 68, 67, 70, 65 -- P, D, C, F, A
local HEAD, FOREVER, PRIME = 44, 281474976710655, 4294967291
-- The clocks of masters differ, and are set back: a fence is remembered until the clock is so far past it.
local FENCE_MEMORY_MS = 60000
local LEASE_OVER = 'its lease was over when it was read'

local time = redis.call('TIME')
-- Lua numbers are doubles, exact up to 2^53 = 9.0e15. Microseconds since 1970 are 1.8e15 and stay below until 2255.
local now_us = time[1] * 1000000 + time[2]
local now_ms = (now_us - now_us % 1000) / 1000
local key, open_index = KEYS[1], KEYS[2]
local value = redis.pcall('GET', key)
local format, waited, state, check, attempt, claimed_ms, lease_until_ms, expires_ms, settled_ms, size, fence
local identity, arguments, rest, problem = '', '', ''

if not value then
  value, state, attempt, fence = '', ABSENT, 0, 0
elseif type(value) ~= 'string' then
  problem = 'the key holds something else than a record (' .. tostring(value.err) .. ')'
elseif string.byte(value) ~= FORMAT and string.byte(value) ~= WITH_ARGUMENTS then
  problem = 'its format is ' .. (string.match(value, '^[%w%p]') or 'missing') .. ', this version reads formats 1 and 2'
elseif #value < HEAD then
  problem = 'it is cut off'
else
  format, waited, state, check, attempt, claimed_ms, lease_until_ms, expires_ms, settled_ms, size, fence =
      struct.unpack(LAYOUT, value)
  local kept = HEAD + size
  identity = string.sub(value, HEAD + 1, kept)
  if format == WITH_ARGUMENTS then
    kept = kept + (struct.unpack('>I4', string.sub(value, kept + 1, kept + 4) .. '\255\255\255\255'))
    arguments = string.sub(value, HEAD + size + 1, kept)
  end
  rest = string.sub(value, kept + 1)
@sum
  if check ~= sum then
    problem = 'one of its numbers was changed'
  elseif not string.find('PDCFA', string.char(state), 1, true) then
    problem = 'its state is ' .. state
  elseif size > 0 and string.sub(identity, -8) ~= string.sub(redis.sha1hex(string.sub(identity, 1, -9)), 1, 8) then
    problem = 'its owner, operation or fingerprint was changed'
  elseif #value < kept then
    problem = 'its arguments are cut off'
  elseif expires_ms <= now_ms then
    -- Its fence is remembered, it was just released, or somebody removed its time to live. Redis counts from when a script began, a
    -- replica from when it applied that: they differ by as long as either was held up. A user who may not ask believes the record.
    local left_ms = redis.pcall('PTTL', key)
    if type(left_ms) == 'number'
        and now_ms + left_ms > math.max(expires_ms, settled_ms, math.floor(fence / 1000) + FENCE_MEMORY_MS) + FENCE_MEMORY_MS then
      problem = 'its expiry is over, and its time to live is not'
    end
    value, state, attempt = '', ABSENT, 0
  end
end
-- What cannot be understood is neither changed nor taken for absent.
if problem then
  return {now_us, 'unreadable', problem}
end
local open = state == IN_PROGRESS or state == IN_DOUBT
local in_doubt = state == IN_DOUBT or state == IN_PROGRESS and lease_until_ms <= now_ms
local since_ms = math.max(now_ms, claimed_ms or 0) -- by a clock that was set back, the record would be over when that is mended
-- For @write: the numbers and texts above, whether they are to be written, the answer without the record, null for now_us, whether
-- this is a new claim, or a look that need not write, and a note for the audit trail with its retention.
local changed, answer, claims, looks, note, note_ms

--- sum
-- So that no number of a record changes unnoticed; below 2^53 for all that fits the layout.
local sum = (state + 3 * attempt + 5 * claimed_ms + 7 * lease_until_ms + 11 * expires_ms + 13 * settled_ms + 17 * size
    + fence % PRIME) % PRIME

--- write
-- A caller that reads that a lease is over tells others. So it is kept: a clock that is set back would let its owner release it.
if state == IN_PROGRESS and lease_until_ms <= now_ms and rest == '' then
  rest, changed = string.sub(redis.sha1hex(LEASE_OVER), 1, 8) .. LEASE_OVER, true
end
if changed then
  local tells = waited == WAITED and state ~= IN_PROGRESS
  format, waited, size = arguments == '' and FORMAT or WITH_ARGUMENTS, tells and UNTOLD or waited, #identity
@sum
  value = struct.pack(LAYOUT, format, waited, state, sum, attempt, claimed_ms, lease_until_ms, expires_ms, settled_ms, size, fence)
      .. identity .. arguments .. rest
  local left_ms = expires_ms ~= FOREVER
      and math.max(1, math.max(expires_ms, math.floor(fence / 1000) + FENCE_MEMORY_MS) - now_ms)
  local done = left_ms and redis.pcall('SET', key, value, 'PX', left_ms) or redis.pcall('SET', key, value)
  -- A full Redis refuses a script's first write when that command may need memory, and lets pass what follows a write. So
  -- whatever finishes work begins with the time to live; a new claim is refused, and nothing was changed.
  if done.err and (claims or looks) then
    return claims and done or {now_us, value}
  elseif done.err and left_ms then
    redis.call('PEXPIRE', key, left_ms)
    redis.call('SET', key, value, 'PX', left_ms)
  elseif done.err then
    redis.call('PERSIST', key)
    redis.call('SET', key, value)
  end
  if note then
    redis.call('APPEND', KEYS[3], note .. '\n')
    redis.call('PEXPIRE', KEYS[3], note_ms)
  end
  if open_index and (state == IN_PROGRESS or state == IN_DOUBT) then
    redis.call('ZADD', open_index, math.floor(claimed_ms / 1000), string.sub(key, -62))
  elseif open_index then
    redis.call('ZREM', open_index, string.sub(key, -62))
  end
  -- Users may be forbidden to publish: then callers that wait find out by themselves.
  if tells then
    redis.pcall('PUBLISH', string.sub(key, 1, -67) .. 'settled', string.sub(key, -65, -64) .. string.sub(key, -62))
  end
end
if answer then
  answer[#answer + 1] = value
end
return answer or now_us
