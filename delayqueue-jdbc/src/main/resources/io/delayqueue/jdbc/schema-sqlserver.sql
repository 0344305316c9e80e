-- Tables of delayqueue-jdbc, version 1, for SQL Server 2019 and later. NOT TESTED.
-- Another prefix than delayqueue_ is set with delayqueue.jdbc.table-prefix, and then to be replaced in a copy of this.

IF OBJECT_ID('delayqueue_schema_version') IS NULL CREATE TABLE delayqueue_schema_version (
  component VARCHAR(64) NOT NULL PRIMARY KEY,
  version   INTEGER     NOT NULL
);

-- One row for each task of which operations have not reached Redis yet.
IF OBJECT_ID('delayqueue_outbox') IS NULL CREATE TABLE delayqueue_outbox (
  row_key      BINARY(32)     NOT NULL PRIMARY KEY, -- SHA-256 of the queue and the id
  queue_name   VARCHAR(64)    NOT NULL,
  task_id      VARCHAR(4096)  NOT NULL,
  version      BIGINT         NOT NULL,             -- begins at a random number; one more with each operation
  operations   VARBINARY(MAX) NOT NULL,             -- one behind the other, in the order of their commits
  available_at BIGINT         NOT NULL,             -- ms since 1970; when any process may take the row
  created_at   BIGINT         NOT NULL,             -- ms since 1970
  attempts     INTEGER        NOT NULL,             -- how many times it was taken or refused
  INDEX delayqueue_outbox_available (available_at)
);

-- Operations that Redis refused for good.
IF OBJECT_ID('delayqueue_outbox_rejected') IS NULL CREATE TABLE delayqueue_outbox_rejected (
  rejected_id VARCHAR(36)    NOT NULL PRIMARY KEY,
  queue_name  VARCHAR(64)    NOT NULL,
  task_id     VARCHAR(4096)  NOT NULL,
  operations  VARBINARY(MAX) NOT NULL,
  reason      NVARCHAR(1000) NOT NULL,
  rejected_at BIGINT         NOT NULL,
  INDEX delayqueue_outbox_rejected_at (rejected_at)
);

IF NOT EXISTS (SELECT 1 FROM delayqueue_schema_version WHERE component = 'outbox')
  INSERT INTO delayqueue_schema_version (component, version) VALUES ('outbox', 1);

-- One row for each task that a consumer's committed transaction has handled; a consumer is a queue, unless it has a name.
IF OBJECT_ID('delayqueue_inbox') IS NULL CREATE TABLE delayqueue_inbox (
  consumer    VARCHAR(64) COLLATE Latin1_General_BIN2 NOT NULL,
  task_key    CHAR(22)    COLLATE Latin1_General_BIN2 NOT NULL, -- the same in all deliveries of the task
  received_at BIGINT      NOT NULL,                             -- ms since 1970
  PRIMARY KEY (consumer, task_key),
  INDEX delayqueue_inbox_received (received_at)
);

IF NOT EXISTS (SELECT 1 FROM delayqueue_schema_version WHERE component = 'inbox')
  INSERT INTO delayqueue_schema_version (component, version) VALUES ('inbox', 1);
