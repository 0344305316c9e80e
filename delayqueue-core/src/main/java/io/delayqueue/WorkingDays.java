// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.LocalDate;

/**
 * A calendar: on which days a {@link DeliveryWindow} opens that names it. With Spring it is a bean, and its name is the bean's.
 * Called by any thread, by several at once, and quickly: up to some hundred times for one task.
 */
@FunctionalInterface
public interface WorkingDays {

    /** Whether tasks may be delivered on this day. Should answer the same whenever it is asked for a day. */
    boolean isWorkingDay(LocalDate day);
}
