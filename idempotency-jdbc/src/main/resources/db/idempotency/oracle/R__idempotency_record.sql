-- Micronaut Idempotency, format 1, Oracle 12.2 and later; written from the manual, never run. Instants are milliseconds since the epoch.
CREATE TABLE idempotency_record (
  id              VARCHAR2(64 CHAR) NOT NULL PRIMARY KEY,
  operation       VARCHAR2(1000 CHAR) NOT NULL,
  fingerprint     VARCHAR2(100 CHAR) NOT NULL,
  state           VARCHAR2(16 CHAR) NOT NULL,
  owner           VARCHAR2(64 CHAR) NOT NULL,
  fence           NUMBER(19) NOT NULL,
  attempt         NUMBER(10) NOT NULL,
  claimed_at_ms   NUMBER(19) NOT NULL,
  lease_until_ms  NUMBER(19) NOT NULL,
  settled_at_ms   NUMBER(19),
  expires_at_ms   NUMBER(19),
  result_kind     VARCHAR2(8 CHAR),
  result          BLOB,
  result_omitted  VARCHAR2(500 CHAR),
  result_size     NUMBER(19),
  failure_type    VARCHAR2(250 CHAR),
  failure_message NVARCHAR2(2000),
  failure_code    VARCHAR2(100 CHAR),
  doubt           VARCHAR2(500 CHAR),
  audit           NCLOB,
  audit_until_ms  NUMBER(19),
  format_version  NUMBER(5) NOT NULL
);
CREATE INDEX idempotency_record_expiry ON idempotency_record (expires_at_ms);
