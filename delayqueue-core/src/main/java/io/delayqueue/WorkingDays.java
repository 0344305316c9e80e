// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.LocalDate;

/**
 * A calendar of the days on which a {@link DeliveryWindow} opens. Declare it as a bean; windows refer to it by its bean
 * name. Implementations must be thread-safe and fast: a single task may cause several hundred calls.
 */
@FunctionalInterface
public interface WorkingDays {

    /** Returns whether tasks may be delivered on this day. The result for a day should never change. */
    boolean isWorkingDay(LocalDate day);
}
