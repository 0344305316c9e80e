// SPDX-License-Identifier: Apache-2.0
/** Redis and RabbitMQ servers that a test starts, kills, suspends and restarts, and the embedded AMQP broker. */
@NullMarked
package io.delayqueue.test.server;

import org.jspecify.annotations.NullMarked;
