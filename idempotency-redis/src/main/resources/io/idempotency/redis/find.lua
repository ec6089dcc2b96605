return answer('record', fields)
