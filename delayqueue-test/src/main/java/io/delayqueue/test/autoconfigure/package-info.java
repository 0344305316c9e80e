// SPDX-License-Identifier: Apache-2.0
/** Embedded servers for a Spring Boot application that is run without any, when a property asks for them. */
@NullMarked
package io.delayqueue.test.autoconfigure;

import org.jspecify.annotations.NullMarked;
