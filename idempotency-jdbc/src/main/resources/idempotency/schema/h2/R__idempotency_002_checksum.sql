-- Micronaut Idempotency, schema version 2, H2 2.2 and later. The index of what is in progress or in doubt; what a settled
-- row says twice.
CREATE INDEX IF NOT EXISTS ${idempotency}_open ON ${idempotency} (state, claimed_at_ms, id);
ALTER TABLE ${idempotency} ADD COLUMN IF NOT EXISTS retention_ms BIGINT;
ALTER TABLE ${idempotency} ADD COLUMN IF NOT EXISTS checksum BIGINT;
