// SPDX-License-Identifier: Apache-2.0
/** Connections to RabbitMQ, and triggers and declarations made of properties. */
@NullMarked
package io.delayqueue.internal.autoconfigure.rabbit;

import org.jspecify.annotations.NullMarked;
