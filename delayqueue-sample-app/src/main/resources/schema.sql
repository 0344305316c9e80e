-- The shop's own table; those of the delay queue's outbox and inbox come from delayqueue-jdbc.
CREATE TABLE IF NOT EXISTS orders (
  id         VARCHAR(36)              NOT NULL PRIMARY KEY,
  item       VARCHAR(200)             NOT NULL,
  status     VARCHAR(10)              NOT NULL,
  pay_before TIMESTAMP WITH TIME ZONE NOT NULL,
  fence      BIGINT                   NOT NULL -- token of the delivery that wrote the row last
);

CREATE INDEX IF NOT EXISTS orders_status ON orders (status, pay_before);
