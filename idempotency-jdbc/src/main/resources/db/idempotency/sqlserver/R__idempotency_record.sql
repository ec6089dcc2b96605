-- Micronaut Idempotency, format 1, SQL Server 2017 and later; written from the manual, never run. Instants are milliseconds since the epoch.
IF OBJECT_ID('idempotency_record') IS NULL CREATE TABLE idempotency_record (
  id              NVARCHAR(64) COLLATE Latin1_General_100_BIN2 NOT NULL PRIMARY KEY,
  operation       NVARCHAR(1000) COLLATE Latin1_General_100_BIN2 NOT NULL,
  fingerprint     NVARCHAR(100) COLLATE Latin1_General_100_BIN2 NOT NULL,
  state           NVARCHAR(16) COLLATE Latin1_General_100_BIN2 NOT NULL,
  owner           NVARCHAR(64) COLLATE Latin1_General_100_BIN2 NOT NULL,
  fence           BIGINT NOT NULL,
  attempt         INTEGER NOT NULL,
  claimed_at_ms   BIGINT NOT NULL,
  lease_until_ms  BIGINT NOT NULL,
  settled_at_ms   BIGINT,
  expires_at_ms   BIGINT,
  result_kind     NVARCHAR(8) COLLATE Latin1_General_100_BIN2,
  result          VARBINARY(MAX),
  result_omitted  NVARCHAR(500) COLLATE Latin1_General_100_BIN2,
  result_size     BIGINT,
  failure_type    NVARCHAR(250) COLLATE Latin1_General_100_BIN2,
  failure_message NVARCHAR(2000) COLLATE Latin1_General_100_BIN2,
  failure_code    NVARCHAR(100) COLLATE Latin1_General_100_BIN2,
  doubt           NVARCHAR(500) COLLATE Latin1_General_100_BIN2,
  format_version  SMALLINT NOT NULL,
  INDEX idempotency_record_expiry (expires_at_ms)
);
