-- Micronaut Idempotency, schema version 2, MySQL 8 and MariaDB 10.6 and later. The index of what is in progress or in doubt;
-- what a settled row says twice. One statement: it is done as a whole or not at all.
ALTER TABLE ${idempotency}
  ADD INDEX ${idempotency}_open (state, claimed_at_ms, id),
  ADD COLUMN retention_ms BIGINT,
  ADD COLUMN checksum BIGINT;
