// SPDX-License-Identifier: Apache-2.0
/** Libraries with one thing wrong each, made from the real one, that the checker has to convict. */
@NullMarked
package io.delayqueue.faults.mutant;

import org.jspecify.annotations.NullMarked;
