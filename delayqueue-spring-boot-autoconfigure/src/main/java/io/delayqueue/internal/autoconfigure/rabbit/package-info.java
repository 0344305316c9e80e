// SPDX-License-Identifier: Apache-2.0
/** Connections to RabbitMQ, with triggers and declarations from properties. */
@NullMarked
package io.delayqueue.internal.autoconfigure.rabbit;

import org.jspecify.annotations.NullMarked;
