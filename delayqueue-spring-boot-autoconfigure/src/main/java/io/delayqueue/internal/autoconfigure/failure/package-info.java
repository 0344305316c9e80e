// SPDX-License-Identifier: Apache-2.0
/** Why an application with delay queues does not start, for the report that Spring Boot prints. */
@NullMarked
package io.delayqueue.internal.autoconfigure.failure;

import org.jspecify.annotations.NullMarked;
