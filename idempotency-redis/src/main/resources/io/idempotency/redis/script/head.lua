-- Stands before every verb on one record. KEYS[1] is the record, KEYS[2] the index of what is open among its neighbours,
-- missing while their slot moves. Answers now_us where it did what was asked, else {now_us, record} or
-- {now_us, verdict, detail, ...}: an array of texts costs as much as a SET. No functions here: building them costs more than
-- the work of a first call.
@layout
local key, open_index = KEYS[1], KEYS[2]
local value = redis.pcall('GET', key)
