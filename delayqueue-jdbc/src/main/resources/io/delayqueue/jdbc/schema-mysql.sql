-- Tables of delayqueue-jdbc, version 1, for MariaDB 10.6 and later. May be run again: what is there stays.
-- Another prefix than delayqueue_ is set with delayqueue.jdbc.table-prefix, and then to be replaced in a copy of this.

CREATE TABLE IF NOT EXISTS delayqueue_schema_version (
  component VARCHAR(64) NOT NULL PRIMARY KEY,
  version   INTEGER     NOT NULL
) ENGINE = InnoDB;

-- One row for each task, or each group of tasks, of which operations have not reached Redis yet.
CREATE TABLE IF NOT EXISTS delayqueue_outbox (
  row_key      BINARY(32)    NOT NULL PRIMARY KEY, -- SHA-256 of the queue and the id of task or group
  queue_name   VARCHAR(64)   CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  task_id      VARCHAR(4096) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  version      BIGINT        NOT NULL,             -- begins at a random number; one more with each operation
  operations   LONGBLOB      NOT NULL,             -- one behind the other, in the order of their commits
  available_at BIGINT        NOT NULL,             -- ms since 1970; when any process may take the row
  created_at   BIGINT        NOT NULL,             -- ms since 1970
  attempts     INTEGER       NOT NULL,             -- how many times it was taken or refused
  INDEX delayqueue_outbox_available (available_at)
) ENGINE = InnoDB;

-- Operations that Redis refused for good.
CREATE TABLE IF NOT EXISTS delayqueue_outbox_rejected (
  rejected_id VARCHAR(36)   CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
  queue_name  VARCHAR(64)   CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  task_id     VARCHAR(4096) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  operations  LONGBLOB      NOT NULL,
  reason      VARCHAR(1000) CHARACTER SET utf8mb4 NOT NULL,
  rejected_at BIGINT        NOT NULL,
  INDEX delayqueue_outbox_rejected_at (rejected_at)
) ENGINE = InnoDB;

INSERT IGNORE INTO delayqueue_schema_version (component, version) VALUES ('outbox', 1);

-- One row for each task that a consumer's committed transaction has handled; a consumer is a queue, unless it has a name.
CREATE TABLE IF NOT EXISTS delayqueue_inbox (
  consumer    VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  task_key    CHAR(22)    CHARACTER SET ascii COLLATE ascii_bin NOT NULL, -- the same in all deliveries of the task
  received_at BIGINT      NOT NULL,                                       -- ms since 1970
  PRIMARY KEY (consumer, task_key),
  INDEX delayqueue_inbox_received (received_at)
) ENGINE = InnoDB;

INSERT IGNORE INTO delayqueue_schema_version (component, version) VALUES ('inbox', 1);
