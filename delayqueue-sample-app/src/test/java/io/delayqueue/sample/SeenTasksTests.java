// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SeenTasksTests {

    @Test
    void firstTimeWhenTheSameTaskComesAgainIsFalse() {
        SeenTasks seen = new SeenTasks(2);
        assertThat(seen.firstTime("a", 1)).isTrue();
        assertThat(seen.firstTime("a", 1)).isFalse();
        assertThat(seen.firstTime("a", 2)).as("moved, so another task").isTrue();
    }

    @Test
    void firstTimeWhenFullForgetsTheEldest() {
        SeenTasks seen = new SeenTasks(2);
        seen.firstTime("a", 1);
        seen.firstTime("b", 1);
        seen.firstTime("c", 1);
        assertThat(seen.firstTime("c", 1)).isFalse();
        assertThat(seen.firstTime("a", 1)).isTrue();
    }
}
