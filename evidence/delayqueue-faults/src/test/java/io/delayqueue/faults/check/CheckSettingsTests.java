// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.faults.check.CheckSettings.Window;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class CheckSettingsTests {

    /** A run stores its settings, and the checker reads them. */
    @Test
    void settingsWhenStoredAndReadAreEqual() {
        CheckSettings settings = CheckSettings.of("cell", 3, Duration.ofSeconds(5), Set.of("forwarded"))
                .withRecovery(Duration.ofSeconds(2))
                .withTiming(Duration.ofMinutes(1), "08:00-18:00 UTC")
                .withLossWithin(List.of(new Window(1, 2)));
        JsonMapper json = new JsonMapper();

        assertThat(json.readValue(json.writeValueAsString(settings), CheckSettings.class))
                .isEqualTo(settings);
    }
}
