// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis.wake;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HelpMessagesTests {

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final List<Integer> published = new ArrayList<>();
    private final Set<Integer> failing = new HashSet<>();
    private final HelpMessages messages = new HelpMessages(tasks::add, this::publish);

    private boolean publish(int shard) {
        published.add(shard);
        return !failing.contains(shard);
    }

    private void runAll() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }

    @Test
    void addIsPublishedByTheExecutorAndNotByTheCaller() {
        messages.add(3);
        assertThat(published).isEmpty();

        runAll();
        assertThat(published).containsExactly(3);
    }

    @Test
    void addWhenTheExecutorIsBusyTellsOfEachShardOnceByOneTask() {
        for (int time = 0; time < 100; time++) {
            messages.add(time % 2);
        }
        assertThat(tasks).hasSize(1);

        tasks.remove().run();
        assertThat(published).containsExactlyInAnyOrder(0, 1);
        assertThat(tasks).isEmpty();
    }

    @Test
    void addWhenTheShardWasToldOfBeforeTellsOfItAgain() {
        messages.add(3);
        runAll();
        messages.add(3);
        runAll();

        assertThat(published).containsExactly(3, 3);
    }

    @Test
    void addWhenMessagesAreBeingPublishedIsPublishedToo() {
        HelpMessages[] self = new HelpMessages[1];
        self[0] = new HelpMessages(tasks::add, shard -> {
            if (published.isEmpty()) {
                self[0].add(7);
            }
            return publish(shard);
        });
        self[0].add(3);
        runAll();

        assertThat(published).containsExactly(3, 7);
    }

    @Test
    void addWhenRedisCannotBeReachedLeavesOutTheOthersUntilTheyAreAddedAgain() {
        failing.addAll(Set.of(1, 2));
        messages.add(1);
        messages.add(2);
        runAll();
        assertThat(published).as("one attempt is enough").hasSize(1);

        failing.clear();
        published.clear();
        messages.add(3);
        runAll();
        assertThat(published).as("what is old by now").containsExactly(3);
    }
}
