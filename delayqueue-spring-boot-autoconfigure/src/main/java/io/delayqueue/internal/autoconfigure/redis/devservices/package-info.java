// SPDX-License-Identifier: Apache-2.0
/** The Redis server in a container that Testcontainers or Docker Compose has started. */
@NullMarked
package io.delayqueue.internal.autoconfigure.redis.devservices;

import org.jspecify.annotations.NullMarked;
