// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.DeliveryWindow;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Like {@link ClockServers}, for applications whose queues have delivery hours. The hours exclude a minute and a half
 * of the day, into which the clock jumps.
 */
final class HoursServers extends ClockServers {

    private static final Duration CLOSED = Duration.ofSeconds(90);

    private final Duration jump;
    private @Nullable String window;

    /** @param jump the size of the coming clock jump; negative if the clock will be set back */
    HoursServers(Duration jump) {
        this.jump = jump;
    }

    /** Returns the properties with the hours, which are known when the first application is launched. */
    @Override
    public synchronized List<String> forApplications() {
        if (window == null) {
            LocalTime closes = LocalTime.now(ZoneOffset.UTC).plus(jump).truncatedTo(ChronoUnit.SECONDS);
            window = DeliveryWindow.between(closes.plus(CLOSED), closes)
                    .inZone(ZoneOffset.UTC)
                    .toString();
        }
        List<String> all = new ArrayList<>(super.forApplications());
        all.add("delayqueue.defaults.window=" + window);
        return all;
    }
}
