return answer('record', record)
