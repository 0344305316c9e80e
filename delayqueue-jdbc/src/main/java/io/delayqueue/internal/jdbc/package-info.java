// SPDX-License-Identifier: Apache-2.0
/** What the rooms of this module share: the transaction that they are called in. */
@NullMarked
package io.delayqueue.internal.jdbc;

import org.jspecify.annotations.NullMarked;
