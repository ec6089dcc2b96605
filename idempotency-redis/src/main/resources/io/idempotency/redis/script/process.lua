-- After a fail-over or a restart another process answers, and nobody knows yet what it does with its records.
local function run_id()
  local info = redis.pcall('INFO', 'server')
  return type(info) == 'string' and string.match(info, 'run_id:(%x+)') or ''
end
