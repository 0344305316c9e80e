// SPDX-License-Identifier: Apache-2.0
/** Auto-configuration of delayed tasks in database transactions. */
@NullMarked
package io.delayqueue.jdbc.autoconfigure;

import org.jspecify.annotations.NullMarked;
