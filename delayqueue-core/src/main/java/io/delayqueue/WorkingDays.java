// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.LocalDate;

/**
 * A calendar of the days on which a {@link DeliveryWindow} opens. Declare it as a bean; windows refer to it by the
 * bean's name. Implementations must be thread-safe and fast: one task may cause several hundred calls.
 */
@FunctionalInterface
public interface WorkingDays {

    /** Returns whether tasks may be delivered on this day. Should always return the same result for a day. */
    boolean isWorkingDay(LocalDate day);
}
