/**
 * Transactions whose tasks wait in an outbox, applications that die at a chosen step, and what must be true afterwards.
 */
@NullMarked
package io.delayqueue.faults.outbox;

import org.jspecify.annotations.NullMarked;
