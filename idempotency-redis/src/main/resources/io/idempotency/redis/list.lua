-- ARGV: state, older_than_ms. The record when it is of that state and age, else nothing: results are not moved in vain.
local seen = in_doubt() and 'IN_DOUBT' or state
if absent or seen ~= ARGV[1] or now_ms - tonumber(record[CLAIMED_MS]) < tonumber(ARGV[2]) then
  return answer('record', {})
end
return answer('record', record)
