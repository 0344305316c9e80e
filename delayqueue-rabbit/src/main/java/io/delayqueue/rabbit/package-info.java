// SPDX-License-Identifier: Apache-2.0
/** Delivers due tasks to RabbitMQ exchanges, with publisher confirms and mandatory messages. */
@NullMarked
package io.delayqueue.rabbit;

import org.jspecify.annotations.NullMarked;
