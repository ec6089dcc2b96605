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
