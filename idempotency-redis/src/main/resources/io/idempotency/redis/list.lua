-- ARGV: state, older_than_ms. The record when it is of that state and age, else nothing: results are not moved in vain.
local state = in_doubt() and 'IN_DOUBT' or record.state
if absent or state ~= ARGV[1] or now_ms - tonumber(record.claimed_ms) < tonumber(ARGV[2]) then
  return answer('record', {})
end
return answer('record', fields)
