// SPDX-License-Identifier: Apache-2.0
/** Variants of the library with one deliberate fault each, which the checker must detect. */
@NullMarked
package io.delayqueue.faults.mutant;

import org.jspecify.annotations.NullMarked;
