// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HelpCallsTests {

    private final HelpCalls help = new HelpCalls(0);
    private int calls;

    private long heldUpAt(long now) {
        return help.heldUp(now, () -> calls++);
    }

    @Test
    void heldUpWhenItHasJustBegunDoesNotCallYet() {
        assertThat(heldUpAt(10)).isEqualTo(10 + HelpCalls.AFTER);
        assertThat(heldUpAt(9 + HelpCalls.AFTER)).isEqualTo(10 + HelpCalls.AFTER);
        assertThat(calls).isZero();
        assertThat(help.isHeldUp()).isTrue();
    }

    @Test
    void heldUpWhenItLastsCallsAndThenOnceInASecond() {
        heldUpAt(0);
        assertThat(heldUpAt(HelpCalls.AFTER)).isEqualTo(HelpCalls.AFTER + HelpCalls.AGAIN_AFTER);
        assertThat(calls).isEqualTo(1);

        assertThat(heldUpAt(HelpCalls.AFTER + 1)).isEqualTo(HelpCalls.AFTER + HelpCalls.AGAIN_AFTER);
        assertThat(calls).isEqualTo(1);
        heldUpAt(HelpCalls.AFTER + HelpCalls.AGAIN_AFTER);

        assertThat(calls).isEqualTo(2);
    }

    @Test
    void heldUpWhenItWasOverMeanwhileBeginsAnewButCallsNoMoreOften() {
        heldUpAt(0);
        heldUpAt(HelpCalls.AFTER);
        help.over();
        assertThat(help.isHeldUp()).isFalse();
        long again = HelpCalls.AFTER + 1;

        heldUpAt(again);
        long callAt = heldUpAt(again + HelpCalls.AFTER);

        assertThat(callAt).isEqualTo(HelpCalls.AFTER + HelpCalls.AGAIN_AFTER);
        assertThat(calls).isEqualTo(1);
    }
}
