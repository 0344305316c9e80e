// SPDX-License-Identifier: Apache-2.0
/** Auto-configuration of the console. */
@NullMarked
package io.delayqueue.console.autoconfigure;

import org.jspecify.annotations.NullMarked;
