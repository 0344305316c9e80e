-- Tables of delayqueue-jdbc, version 1, for Oracle 23. NOT TESTED.
-- Another prefix than delayqueue_ is set with delayqueue.jdbc.table-prefix, and then to be replaced in a copy of this.

CREATE TABLE IF NOT EXISTS delayqueue_schema_version (
  component VARCHAR2(64) NOT NULL PRIMARY KEY,
  version   NUMBER(10)   NOT NULL
);

-- One row for each task of which operations have not reached Redis yet.
CREATE TABLE IF NOT EXISTS delayqueue_outbox (
  row_key      RAW(32)        NOT NULL PRIMARY KEY, -- SHA-256 of the queue and the id
  queue_name   VARCHAR2(64)   NOT NULL,
  task_id      VARCHAR2(4000) NOT NULL,
  version      NUMBER(19)     NOT NULL,             -- begins at a random number; one more with each operation
  operations   BLOB           NOT NULL,             -- one behind the other, in the order of their commits
  available_at NUMBER(19)     NOT NULL,             -- ms since 1970; when any process may take the row
  created_at   NUMBER(19)     NOT NULL,             -- ms since 1970
  attempts     NUMBER(10)     NOT NULL              -- how many times it was taken or refused
);

CREATE INDEX IF NOT EXISTS delayqueue_outbox_available ON delayqueue_outbox (available_at);

-- Operations that Redis refused for good.
CREATE TABLE IF NOT EXISTS delayqueue_outbox_rejected (
  rejected_id VARCHAR2(36)   NOT NULL PRIMARY KEY,
  queue_name  VARCHAR2(64)   NOT NULL,
  task_id     VARCHAR2(4000) NOT NULL,
  operations  BLOB           NOT NULL,
  reason      VARCHAR2(1000 CHAR) NOT NULL,
  rejected_at NUMBER(19)     NOT NULL
);

CREATE INDEX IF NOT EXISTS delayqueue_outbox_rejected_at ON delayqueue_outbox_rejected (rejected_at);

MERGE INTO delayqueue_schema_version target USING (SELECT 'outbox' AS component FROM dual) source
  ON (target.component = source.component)
  WHEN NOT MATCHED THEN INSERT (component, version) VALUES ('outbox', 1);

-- One row for each task that a consumer's committed transaction has handled; a consumer is a queue, unless it has a name.
CREATE TABLE IF NOT EXISTS delayqueue_inbox (
  consumer    VARCHAR2(64) NOT NULL,
  task_key    CHAR(22)     NOT NULL, -- the same in all deliveries of the task
  received_at NUMBER(19)   NOT NULL, -- ms since 1970
  PRIMARY KEY (consumer, task_key)
);

CREATE INDEX IF NOT EXISTS delayqueue_inbox_received ON delayqueue_inbox (received_at);

MERGE INTO delayqueue_schema_version target USING (SELECT 'inbox' AS component FROM dual) source
  ON (target.component = source.component)
  WHEN NOT MATCHED THEN INSERT (component, version) VALUES ('inbox', 1);
