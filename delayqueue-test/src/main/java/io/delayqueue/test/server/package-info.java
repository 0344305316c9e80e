// SPDX-License-Identifier: Apache-2.0
/** Embedded servers that a test starts and stops: a Redis server and an AMQP broker. */
@NullMarked
package io.delayqueue.test.server;

import org.jspecify.annotations.NullMarked;
