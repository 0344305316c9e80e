// SPDX-License-Identifier: Apache-2.0
/** Checks the capabilities of a server and the permissions of its user. */
@NullMarked
package io.delayqueue.internal.redis.check;

import org.jspecify.annotations.NullMarked;
