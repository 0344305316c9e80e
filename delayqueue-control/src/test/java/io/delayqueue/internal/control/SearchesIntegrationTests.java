// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import static io.delayqueue.internal.control.ControlScene.EVE;
import static io.delayqueue.internal.control.ControlScene.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.control.Caller;
import io.delayqueue.internal.store.Shard;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which searches are known, and for how long. */
class SearchesIntegrationTests {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final ControlScene scene = new ControlScene(null);

    @AfterEach
    void close() {
        scene.close();
    }

    private SearchView search(Caller caller, String text) {
        return scene.control.search(caller, text, PATIENCE);
    }

    /** Otherwise a reload would show the same failure for as long as somebody reloads. */
    @Test
    void searchWhenItsEndWasSeenIsMadeAgain() {
        scene.schedule(3);
        scene.redis.damage(new Shard(QUEUE, 1), "index");
        assertThat(search(EVE, "vip").unreadable()).containsOnlyKeys(QUEUE);
        assertThat(search(EVE, "vip").isComplete()).isFalse();

        scene.redis.remove(new Shard(QUEUE, 1), "index");

        assertThat(search(EVE, "vip").unreadable()).isEmpty();
        assertThat(search(EVE, "vip").isComplete()).isTrue();
    }

    @Test
    void searchWhenOneCallerHasMadeManyIsOpenToAll() {
        for (int i = 0; i < 60; i++) {
            assertThat(search(EVE, "text" + i).hasEnded()).isTrue();
        }

        assertThat(search(Caller.unknown("ann"), "text").hasEnded()).isTrue();
    }

    @Test
    void searchWhenItRunsIsTheSameForTheSameText() {
        scene.schedule(3);
        scene.redis.holdScripts(Duration.ofMillis(1500));

        assertThat(scene.control.search(EVE, "vip", Duration.ZERO).hasEnded()).isFalse();
        assertThat(scene.control.search(EVE, "vip", Duration.ZERO).hasEnded()).isFalse();
        assertThat(scene.control.search(EVE, "t-", Duration.ZERO).hasEnded()).isFalse();
        assertThatExceptionOfType(TooManyScansException.class).isThrownBy(() -> search(EVE, "another"));

        assertThat(search(EVE, "vip").looked()).isEqualTo(3);
    }
}
