// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayqueue.queue.QueueCatalog;
import io.delayqueue.queue.QueueSettings;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueueLayoutTests {

    @Test
    void formatWhenParsedIsTheSame() {
        for (String text : List.of("1:1:1:1:0", "1:1700000000000:3:8:1", "1:7:1024:2:1023")) {
            assertThat(QueueLayout.parse(text).format()).isEqualTo(text);
        }
        assertThat(QueueLayout.parse("1:9:3:8:1")).isEqualTo(new QueueLayout(9, 3, 8, 1));
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
        assertThatIllegalArgumentException().isThrownBy(() -> QueueLayout.parse(text));
    }

    @Test
    void homesWhenTasksMigrateAreTheEarlierOneAndThenThePresentOne() {
        QueueLayout layout = new QueueLayout(9, 3, 3, 8);
        for (int i = 0; i < 100; i++) {
            String id = "task-" + i;
            int before = ShardRouter.shardOf(id, 8);
            assertThat(layout.homesOf(id))
                    .isEqualTo(before == layout.homeOf(id) ? List.of(before) : List.of(before, layout.homeOf(id)));
        }
        assertThat(layout.span()).isEqualTo(8);
        assertThat(layout.counts()).containsExactly(8, 3);
        assertThat(layout.isMigrating()).isTrue();
    }

    @Test
    void homesWhenEveryTaskIsInItsShardAreOne() {
        QueueLayout layout = new QueueLayout(9, 3, 3, 0);
        assertThat(layout.homesOf("a")).containsExactly(layout.homeOf("a"));
        assertThat(layout.counts()).containsExactly(3);
        assertThat(layout.isMigrating()).isFalse();
    }

    @Test
    void canBecomeWhenTasksMigrateIsOnlyTheWayBack() {
        QueueLayout layout = new QueueLayout(9, 3, 3, 8);
        assertThat(IntStream.rangeClosed(1, 10).filter(layout::canBecome)).containsExactly(3, 8);
        assertThat(IntStream.rangeClosed(1, 10).filter(QueueLayout.initial(3)::canBecome))
                .hasSize(10);
    }

    @Test
    void resizedToWhenTheNumberChangesKeepsTheOneBefore() {
        QueueLayout layout = QueueLayout.initial(4);
        assertThat(layout.resizedTo(4, 9)).isEqualTo(new QueueLayout(1, 4, 9, 0));
        QueueLayout shrinking = layout.resizedTo(2, 4);
        assertThat(shrinking).isEqualTo(new QueueLayout(1, 2, 4, 4));
        assertThat(shrinking.resizedTo(2, 2)).isEqualTo(new QueueLayout(1, 2, 2, 4));
        assertThat(shrinking.resizedTo(4, 4)).as("turned back").isEqualTo(new QueueLayout(1, 4, 4, 2));
        assertThat(shrinking.settled()).isEqualTo(new QueueLayout(1, 2, 4, 0));
    }

    @Test
    void adoptWhenTheLayoutIsNewerTellsListenersOnceAndElseChangesNothing() {
        QueueLayouts layouts = QueueLayouts.fixed(new QueueCatalog(List.of(QueueSettings.withDefaults("orders"))));
        AtomicInteger changes = new AtomicInteger();
        QueueLayouts.Registration registration = layouts.listen("orders", changes::incrementAndGet);
        QueueLayout newer = new QueueLayout(7, 8, 1, 1);

        assertThat(layouts.of("orders")).isEqualTo(QueueLayout.initial(1));
        assertThat(layouts.adopt("orders", newer)).isEqualTo(newer);
        assertThat(layouts.adopt("orders", new QueueLayout(6, 2, 1, 0))).isEqualTo(newer);
        assertThat(layouts.of("orders")).isEqualTo(newer);
        assertThat(changes).hasValue(1);

        registration.close();
        layouts.adopt("orders", new QueueLayout(8, 2, 1, 0));
        assertThat(changes).hasValue(1);
    }
}
