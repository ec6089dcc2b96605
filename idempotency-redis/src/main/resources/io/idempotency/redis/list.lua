-- ARGV: state, older_than_ms, operation (empty: any). The record when it is of that state, age and operation, else nothing: results are not moved in vain.
local seen = in_doubt() and 'IN_DOUBT' or state
if absent or seen ~= ARGV[1] or ARGV[3] ~= '' and record[OPERATION] ~= ARGV[3]
    or now_ms - tonumber(record[CLAIMED_MS]) < tonumber(ARGV[2]) then
  return answer('record', {})
end
return answer('record', record)
