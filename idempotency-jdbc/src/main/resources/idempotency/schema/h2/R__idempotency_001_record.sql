-- Micronaut Idempotency, H2 2.2 and later: a new table, of the newest version. Instants are milliseconds since the epoch.
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
  result          VARBINARY,
  result_omitted  VARCHAR(500),
  result_size     BIGINT,
  failure_type    VARCHAR(250),
  failure_message VARCHAR(2000),
  failure_code    VARCHAR(100),
  doubt           VARCHAR(500),
  audit           VARCHAR,
  audit_until_ms  BIGINT,
  format_version  SMALLINT       NOT NULL,
  retention_ms    BIGINT,
  checksum        BIGINT
);
CREATE INDEX IF NOT EXISTS ${idempotency}_expiry ON ${idempotency} (expires_at_ms);
CREATE INDEX IF NOT EXISTS ${idempotency}_open ON ${idempotency} (state, claimed_at_ms, id);
