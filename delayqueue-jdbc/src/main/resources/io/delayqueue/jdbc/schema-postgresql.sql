-- Tables of delayqueue-jdbc, version 1, for PostgreSQL. May be run again: what is there stays.
-- Another prefix than delayqueue_ is set with delayqueue.jdbc.table-prefix, and then to be replaced in a copy of this.

CREATE TABLE IF NOT EXISTS delayqueue_schema_version (
  component VARCHAR(64) NOT NULL PRIMARY KEY,
  version   INTEGER     NOT NULL
);

-- One row for each task, or each group of tasks, of which operations have not reached Redis yet.
CREATE TABLE IF NOT EXISTS delayqueue_outbox (
  row_key      BYTEA         NOT NULL PRIMARY KEY, -- SHA-256 of the queue and the id of task or group
  queue_name   VARCHAR(64)   NOT NULL,
  task_id      VARCHAR(4096) NOT NULL,
  version      BIGINT        NOT NULL,             -- begins at a random number; one more with each operation
  operations   BYTEA         NOT NULL,             -- one behind the other, in the order of their commits
  available_at BIGINT        NOT NULL,             -- ms since 1970; when any process may take the row
  created_at   BIGINT        NOT NULL,             -- ms since 1970
  attempts     INTEGER       NOT NULL              -- how many times it was taken or refused
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

CREATE INDEX IF NOT EXISTS delayqueue_outbox_available ON delayqueue_outbox (available_at);

-- Operations that Redis refused for good.
CREATE TABLE IF NOT EXISTS delayqueue_outbox_rejected (
  rejected_id VARCHAR(36)   NOT NULL PRIMARY KEY,
  queue_name  VARCHAR(64)   NOT NULL,
  task_id     VARCHAR(4096) NOT NULL,
  operations  BYTEA         NOT NULL,
  reason      VARCHAR(1000) NOT NULL,
  rejected_at BIGINT        NOT NULL
);

CREATE INDEX IF NOT EXISTS delayqueue_outbox_rejected_at ON delayqueue_outbox_rejected (rejected_at);

INSERT INTO delayqueue_schema_version (component, version) VALUES ('outbox', 1) ON CONFLICT (component) DO NOTHING;

-- One row for each task that a consumer's committed transaction has handled; a consumer is a queue, unless it has a name.
CREATE TABLE IF NOT EXISTS delayqueue_inbox (
  consumer    VARCHAR(64) NOT NULL,
  task_key    CHAR(22)    NOT NULL, -- the same in all deliveries of the task
  received_at BIGINT      NOT NULL, -- ms since 1970
  PRIMARY KEY (consumer, task_key)
);

CREATE INDEX IF NOT EXISTS delayqueue_inbox_received ON delayqueue_inbox (received_at);

INSERT INTO delayqueue_schema_version (component, version) VALUES ('inbox', 1) ON CONFLICT (component) DO NOTHING;
