// SPDX-License-Identifier: Apache-2.0
/** Embedded servers that a property enables for a Spring Boot application. */
@NullMarked
package io.delayqueue.test.autoconfigure;

import org.jspecify.annotations.NullMarked;
