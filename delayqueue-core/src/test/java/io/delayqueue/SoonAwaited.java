// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Makes Awaitility check conditions at once and then less and less often, instead of after a tenth of a second, because
 * most conditions hold by then. Found on the class path by all modules whose tests use the tests of this one.
 */
public final class SoonAwaited implements BeforeAllCallback {

    private static final long FIRST_MILLIS = 10;
    private static final long LONGEST_MILLIS = 100;

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultPollInterval(
                (polls, before) -> Duration.ofMillis(Math.min(LONGEST_MILLIS, FIRST_MILLIS << Math.min(polls, 5))));
    }
}
