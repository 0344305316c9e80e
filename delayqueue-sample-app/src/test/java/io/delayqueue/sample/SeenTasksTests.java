// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SeenTasksTests {

    @Test
    void firstTimeWhenTheSameTaskComesAgainIsFalse() {
        SeenTasks seen = new SeenTasks(2);
        assertThat(seen.firstTime("a")).isTrue();
        assertThat(seen.firstTime("a")).isFalse();
        assertThat(seen.firstTime("b")).isTrue();
    }

    @Test
    void firstTimeWhenFullForgetsTheEldest() {
        SeenTasks seen = new SeenTasks(2);
        seen.firstTime("a");
        seen.firstTime("b");
        seen.firstTime("c");
        assertThat(seen.firstTime("c")).isFalse();
        assertThat(seen.firstTime("a")).isTrue();
    }
}
