-- Micronaut Idempotency, schema version 2, H2 2.2 and later: what a table of version 1 lacks. STOP ALL NODES FIRST: H2 copies
-- the table to add a column, and forgets rows that are written meanwhile.
CREATE INDEX IF NOT EXISTS ${idempotency}_open ON ${idempotency} (state, claimed_at_ms, id);
ALTER TABLE ${idempotency} ADD COLUMN IF NOT EXISTS retention_ms BIGINT;
ALTER TABLE ${idempotency} ADD COLUMN IF NOT EXISTS checksum BIGINT;
