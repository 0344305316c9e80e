// SPDX-License-Identifier: Apache-2.0
/** What Spring Boot sets up for delayed tasks in a database's transaction. */
@NullMarked
package io.delayqueue.jdbc.autoconfigure;

import org.jspecify.annotations.NullMarked;
