@head
-- The common cases, shortened; the caller checks the rest of the record.
if not value then
  return now_us
elseif not value.err and string.byte(value, 1) == FORMAT and #value > HEAD and struct.unpack('>I6', value, 24) > now_ms
    and (string.byte(value, 3) ~= IN_PROGRESS or struct.unpack('>I6', value, 18) > now_ms) then
  return {now_us, value}
end

@record

return absent and now_us or {now_us, seen()}
