-- Micronaut Idempotency, schema version 1, PostgreSQL 12 and later. Instants are milliseconds since the epoch.
CREATE TABLE IF NOT EXISTS ${idempotency} (
  id              VARCHAR(64)    NOT NULL PRIMARY KEY,
  operation       VARCHAR(1000)  NOT NULL,
  fingerprint     VARCHAR(100)   NOT NULL,
  state           VARCHAR(16)    NOT NULL,
  owner           VARCHAR(64)    NOT NULL,
  fence           BIGINT         NOT NULL,
  attempt         INTEGER        NOT NULL,
  claimed_at_ms   BIGINT         NOT NULL,
  lease_until_ms  BIGINT         NOT NULL,
  settled_at_ms   BIGINT,
  expires_at_ms   BIGINT,
  result_kind     VARCHAR(8),
  result          BYTEA,
  result_omitted  VARCHAR(500),
  result_size     BIGINT,
  failure_type    VARCHAR(250),
  failure_message VARCHAR(2000),
  failure_code    VARCHAR(100),
  doubt           VARCHAR(500),
  waited_for      BOOLEAN        NOT NULL DEFAULT FALSE,
  audit           TEXT,
  audit_until_ms  BIGINT,
  format_version  SMALLINT       NOT NULL
);
CREATE INDEX IF NOT EXISTS ${idempotency}_expiry ON ${idempotency} (expires_at_ms);
