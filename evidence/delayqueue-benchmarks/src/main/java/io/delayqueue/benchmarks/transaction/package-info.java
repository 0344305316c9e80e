/** Ways to schedule a task in the transaction of a database. */
@NullMarked
package io.delayqueue.benchmarks.transaction;

import org.jspecify.annotations.NullMarked;
