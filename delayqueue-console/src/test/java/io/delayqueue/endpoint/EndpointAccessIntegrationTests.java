// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** The accessible operations without settings for access. */
class EndpointAccessIntegrationTests extends EndpointScene {

    @Test
    void endpointWhenNothingIsSaidOfAccessOnlyReads() {
        schedule("mails", "m", FAR);

        assertStatus(get("/queues/mails"), 200);
        assertThat(post("/queues/mails/cancel", Map.of("id", "m")).status()).isIn(404, 405);
        assertThat(post("/queues/mails/purge", Map.of("confirm", "mails")).status())
                .isIn(404, 405);
        assertThat(tasks.find("mails", "m")).isPresent();
    }
}
