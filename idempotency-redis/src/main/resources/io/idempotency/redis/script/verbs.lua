-- The verbs, each a script on one record. A retention of FOREVER or longer has no end.

--- claim
-- ARGV: identity, lease_ms, retention_ms, not_after_us (empty: at any time), run_id (the process whose durability is known, '-'
-- when none is good enough; empty: any process), wishes (t: take over, w: the caller waits, r: replicas acknowledge),
-- arguments (empty: none)
@read
local claimant, proven, wishes = ARGV[1], ARGV[5], ARGV[6]

-- Its caller was told that the store did not answer: claimed now, it would never be settled.
if ARGV[4] ~= '' and now_us > tonumber(ARGV[4]) then
  return {now_us, 'late', ''}
end
local owner = 1 + string.byte(claimant)
local same = open and string.sub(identity, 2 + string.byte(identity), -9) == string.sub(claimant, owner + 1, -9)
local own = same and string.sub(identity, 1, owner) == string.sub(claimant, 1, owner)
if state == ABSENT or same and not own and in_doubt and string.find(wishes, 't') then
  -- After a fail-over or a restart another process answers, of which it is not known yet what it does with its records.
  if proven ~= '' then
    local info = redis.pcall('INFO', 'server')
    local run_id = type(info) == 'string' and string.match(info, 'run_id:(%x+)') or ''
    if proven ~= run_id then
      return {now_us, 'unproven', run_id}
    end
  end
  state, fence, attempt, claimed_ms = IN_PROGRESS, math.max(fence + 1, now_us), attempt + 1, now_ms
  lease_until_ms, expires_ms, settled_ms = now_ms + ARGV[2], math.min(FOREVER, now_ms + ARGV[3]), 0
  identity, arguments, rest, waited, changed, claims = claimant, ARGV[7], '', UNTOLD, true, attempt == 1
  if fence ~= now_us or attempt > 1 then
    answer = {now_us, 'claimed'}
  end
elseif own then
  -- Changes nothing, but writes: since Redis 7.2 WAIT waits for the last write of its own connection, and a call that is repeated
  -- after a reconnect must not find nothing to wait for.
  changed, answer = true, {now_us, 'claimed'}
else
  answer = {now_us}
  -- Its caller is told for good that the outcome is unknown: so replicas have to know the record.
  changed = in_doubt and string.find(wishes, 'r')
  if in_doubt and open_index then
    -- The index was elsewhere while its slot moved. A full Redis does not take it from callers that only read.
    redis.pcall('ZADD', open_index, math.floor(claimed_ms / 1000), string.sub(key, -62))
  end
  -- Written once: what settles the record then tells callers that wait.
  if string.find(wishes, 'w') and state == IN_PROGRESS and waited ~= WAITED then
    waited, changed = WAITED, true
  end
end
@write

--- settle
-- ARGV: fence and owner, retention_ms, the settled state, the outcome
@read
local settled = string.byte(ARGV[3])
-- also when it is said again: see the claim
changed = string.sub(value, 38, 37 + #ARGV[1]) == ARGV[1] and (open or state == settled and rest == ARGV[4])
answer = not changed and {now_us, 'stale'}
if changed and open then
  state, settled_ms, expires_ms = settled, since_ms, math.min(FOREVER, since_ms + ARGV[2])
  arguments, rest = '', ARGV[4]
end
@write

--- renew
-- ARGV: fence and owner, retention_ms, lease_ms, what is said of a claim whose lease was over
@read
changed = string.sub(value, 38, 37 + #ARGV[1]) == ARGV[1] and state == IN_PROGRESS
answer = not changed and {now_us, 'stale'}
if changed then
  rest = in_doubt and ARGV[4] or rest
  lease_until_ms, expires_ms = now_ms + ARGV[3], math.min(FOREVER, since_ms + ARGV[2])
end
@write

--- doubt
-- ARGV: fence and owner, retention_ms, reason
@read
changed = string.sub(value, 38, 37 + #ARGV[1]) == ARGV[1] and open
answer = not changed and {now_us, 'stale'}
if changed and state == IN_PROGRESS then
  state, settled_ms, expires_ms, rest = IN_DOUBT, since_ms, math.min(FOREVER, since_ms + ARGV[2]), ARGV[3]
end
@write

--- release
-- ARGV: fence and owner
@read
-- A record of which others may have been told that it is in doubt stays.
changed = string.sub(value, 38, 37 + #ARGV[1]) == ARGV[1] and state == IN_PROGRESS and not in_doubt and rest == ''
answer = state ~= ABSENT and not changed and {now_us, 'stale'}
if changed then
  state, settled_ms, expires_ms, identity, arguments, rest = ABSENT, now_ms, 0, '', '', ''
end
@write

--- find
@read
answer, looks = state ~= ABSENT and {now_us}, true
@write

--- trail
-- KEYS[3] is the audit trail: a key of its own, kept for as long as its last note says, whatever becomes of the record.
if type(redis.pcall('GET', KEYS[3])) == 'table' then
  return {now_us, 'unreadable', 'its audit trail is something else than a text'}
end

--- resolve
-- ARGV: fence, note, audit_ms, the settled state (A to forget it), retention_ms, the outcome
@read
@trail
changed = in_doubt and fence == struct.unpack('>I7', ARGV[1])
answer = not changed and {now_us, 'stale'}
if changed then
  state, settled_ms, arguments, rest, note, note_ms = string.byte(ARGV[4]), since_ms, '', ARGV[6], ARGV[2], ARGV[3]
end
if changed and state == ABSENT then
  expires_ms, identity = 0, ''
elseif changed then
  fence, expires_ms = math.max(fence + 1, now_us), math.min(FOREVER, since_ms + ARGV[5])
end
@write

--- erase
-- ARGV: note, audit_ms, the outcome of a result that was erased, the doubt whose reason was erased
@read
@trail
changed = in_doubt or state == COMPLETED or state == FAILED
answer = not changed and {now_us, 'stale'}
arguments, note, note_ms = '', ARGV[1], ARGV[2]
if state == COMPLETED then
  rest = ARGV[3]
elseif state == IN_DOUBT then
  rest = ARGV[4]
elseif state == FAILED then
  -- its type stays, its message and code do not
  local type_end = 12 + struct.unpack('>I4', rest .. string.rep('\255', 12), 9)
  if #rest < type_end then
    return {now_us, 'unreadable', 'its failure is cut off'}
  end
  rest = string.sub(rest, 9, type_end) .. string.rep('\255', 8)
  rest = string.sub(redis.sha1hex(rest), 1, 8) .. rest
end
@write

--- sweep
-- Removes the record from the index unless it is open.
@read
if open then
  return {now_us, 'stale', ''}
elseif open_index then
  redis.call('ZREM', open_index, string.sub(key, -62))
end
return now_us
