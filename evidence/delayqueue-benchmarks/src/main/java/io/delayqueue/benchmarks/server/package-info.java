// SPDX-License-Identifier: Apache-2.0
/** What Redis and RabbitMQ say about themselves. */
@NullMarked
package io.delayqueue.benchmarks.server;

import org.jspecify.annotations.NullMarked;
