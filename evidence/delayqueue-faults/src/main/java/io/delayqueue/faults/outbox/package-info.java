/** Transactions whose tasks wait in an outbox, applications that die at a chosen step, and the check of the result. */
@NullMarked
package io.delayqueue.faults.outbox;

import org.jspecify.annotations.NullMarked;
