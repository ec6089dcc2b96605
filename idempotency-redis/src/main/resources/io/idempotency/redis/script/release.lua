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
