// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.control.BulkAction;
import io.delayqueue.internal.console.html.Moments;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OperationsPageTests {

    private static String word(String name, String value) {
        Moments moments = new Moments(Instant.EPOCH);
        return String.valueOf(
                OperationsPage.words(Map.of(name, value), moments).get(0).get("word"));
    }

    @Test
    void parameterWhenItsNameIsForeignIsShownAsItIs() {
        assertThat(word("100%d", "5")).isEqualTo("100%d 5");
        assertThat(word("reason", "100%d")).isEqualTo("reason contains \"100%d\"");
    }

    @Test
    void stopSaysWhatFollowsIt() {
        assertThat(OperationsPage.afterStop(BulkAction.REDRIVE))
                .isEqualTo("no more tasks follow after about ten seconds");
        assertThat(OperationsPage.afterStop(BulkAction.DELIVER)).contains("keep their new due times");
        assertThat(OperationsPage.afterStop(BulkAction.CANCEL)).isNull();
    }
}
