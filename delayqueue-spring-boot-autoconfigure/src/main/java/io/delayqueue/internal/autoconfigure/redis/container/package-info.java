// SPDX-License-Identifier: Apache-2.0
/** The Redis of a container that Testcontainers or Docker Compose started. */
@NullMarked
package io.delayqueue.internal.autoconfigure.redis.container;

import org.jspecify.annotations.NullMarked;
