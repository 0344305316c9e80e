// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardingTests {

    @Test
    void formatWhenParsedIsTheSame() {
        for (String text : List.of("1:1:1:1:0", "1:1700000000000:3:8:1", "1:7:1024:2:1023")) {
            assertThat(Sharding.parse(text).format()).isEqualTo(text);
        }
        assertThat(Sharding.parse("1:9:3:8:1")).isEqualTo(new Sharding(9, 3, 8, 1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1:",
                "1:1",
                "2:1:1:1:0",
                "1:1:0:1:0",
                "1:1:1025:1:0",
                "1:1:1:1",
                "1:1:1:1:",
                "1:1:1:1:1",
                "1:1:1:1:1025",
                "1:1:1:1:2,3",
                "1:x:1:1:0"
            })
    void parseWhenTheTextIsNoneIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Sharding.parse(text));
    }

    @Test
    void adoptWhenTheShardingIsNewerTellsListenersOnceAndElseChangesNothing() {
        Shardings shardings = Shardings.fixed(new QueueCatalog(List.of(QueueSettingsBuilder.withDefaults("orders"))));
        AtomicInteger changes = new AtomicInteger();
        Scheduler.Scheduled registration = shardings.listen("orders", changes::incrementAndGet);
        Sharding newer = new Sharding(7, 8, 1, 1);

        assertThat(shardings.of("orders")).isEqualTo(Sharding.initial(1));
        assertThat(shardings.adopt("orders", newer)).isEqualTo(newer);
        assertThat(shardings.adopt("orders", new Sharding(6, 2, 1, 0))).isEqualTo(newer);
        assertThat(shardings.of("orders")).isEqualTo(newer);
        assertThat(changes).hasValue(1);

        registration.cancel();
        shardings.adopt("orders", new Sharding(8, 2, 1, 0));
        assertThat(changes).hasValue(1);
    }
}
