// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayqueue.queue.QueueCatalog;
import io.delayqueue.queue.QueueSettings;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueueLayoutTests {

    @Test
    void parseWhenOfTheFirstVersionIsOneThatWasNeverChanged() {
        assertThat(QueueLayout.parse("1:4")).isEqualTo(QueueLayout.initial(4));
    }

    @Test
    void formatWhenParsedIsTheSame() {
        for (String text : List.of("2:1:1:1:", "2:1700000000000:3:8:1,8", "2:7:1024:2:1,2,3,4,5,6,7,8")) {
            assertThat(QueueLayout.parse(text).format()).isEqualTo(text);
        }
        assertThat(QueueLayout.parse("2:9:3:8:1,8")).isEqualTo(new QueueLayout(9, 3, 8, List.of(1, 8)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1:",
                "1:0",
                "1:1025",
                "3:1:1:1:",
                "2:1:0:1:",
                "2:1:1:1",
                "2:1:1:1:1,,2",
                "2:1:1:1:0",
                "2:x:1:1:"
            })
    void parseWhenTheTextIsNoneIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> QueueLayout.parse(text));
    }

    @Test
    void homesWhenTasksMayStillMoveAreTheOldOnesAndThenTheNew() {
        QueueLayout layout = new QueueLayout(9, 3, 3, List.of(1, 8));
        for (int i = 0; i < 100; i++) {
            String key = "key" + i;
            List<Integer> homes = layout.homesOf(key);
            assertThat(homes.get(0)).isZero();
            assertThat(homes.get(homes.size() - 1)).isEqualTo(layout.homeOf(key));
            assertThat(homes).contains(ShardRouter.shardOf(key, 8));
        }
        assertThat(layout.span()).isEqualTo(8);
        assertThat(layout.counts()).containsExactly(1, 8, 3);
        assertThat(layout.isTransition()).isTrue();
    }

    @Test
    void homesWhenTheNumberGoesBackHoldTheFirstTwice() {
        QueueLayout layout = new QueueLayout(9, 1, 1, List.of(1, 8));
        assertThat(layout.homesOf("a-key-of-another-shard-" + ShardRouter.shardOf("x", 8)))
                .startsWith(0)
                .endsWith(0);
        String elsewhere = "k";
        for (int i = 0; ShardRouter.shardOf(elsewhere, 8) == 0; i++) {
            elsewhere = "k" + i;
        }
        assertThat(layout.homesOf(elsewhere)).containsExactly(0, ShardRouter.shardOf(elsewhere, 8), 0);
    }

    @Test
    void resizedToWhenTheNumberIsTheSameAddsNoOlderOne() {
        QueueLayout layout = QueueLayout.initial(4);
        assertThat(layout.resizedTo(4, 9)).isEqualTo(new QueueLayout(1, 4, 9, List.of()));
        assertThat(layout.resizedTo(2, 4).older()).containsExactly(4);
        assertThat(layout.resizedTo(2, 4).settled()).isEqualTo(new QueueLayout(1, 2, 4, List.of()));
    }

    @Test
    void adoptWhenTheLayoutIsNewerTellsListenersOnceAndElseChangesNothing() {
        QueueLayouts layouts = QueueLayouts.fixed(new QueueCatalog(List.of(QueueSettings.withDefaults("orders"))));
        AtomicInteger changes = new AtomicInteger();
        QueueLayouts.Registration registration = layouts.listen("orders", changes::incrementAndGet);
        QueueLayout newer = new QueueLayout(7, 8, 1, List.of(1));

        assertThat(layouts.of("orders")).isEqualTo(QueueLayout.initial(1));
        assertThat(layouts.adopt("orders", newer)).isEqualTo(newer);
        assertThat(layouts.adopt("orders", new QueueLayout(6, 2, 1, List.of()))).isEqualTo(newer);
        assertThat(layouts.of("orders")).isEqualTo(newer);
        assertThat(changes).hasValue(1);

        registration.close();
        layouts.adopt("orders", new QueueLayout(8, 2, 1, List.of()));
        assertThat(changes).hasValue(1);
    }
}
