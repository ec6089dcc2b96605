-- Micronaut Idempotency, schema version 2, PostgreSQL 12 and later. The index of what is in progress or in doubt; what a
-- settled row says twice. A large table can be given the index beforehand, by the same statement with CONCURRENTLY.
CREATE INDEX IF NOT EXISTS ${idempotency}_open ON ${idempotency} (claimed_at_ms, id)
  WHERE state IN ('IN_PROGRESS', 'IN_DOUBT');
ALTER TABLE ${idempotency}
  ADD COLUMN IF NOT EXISTS retention_ms BIGINT,
  ADD COLUMN IF NOT EXISTS checksum BIGINT;
