// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class ExpectedMasterTests {

    private String present = "a";
    private final ExpectedMaster<String> master = new ExpectedMaster<>(() -> present);

    @Test
    void getWhenNothingHasHappenedYetIsWhoeverIsMaster() {
        assertThat(master.get()).isEqualTo("a");
        present = "b";
        assertThat(master.get()).isEqualTo("b");
    }

    @Test
    void getWhenTheMasterIsTheOneThatTheLastFaultLeftIsThatOne() {
        master.changed();
        present = "b";
        master.changed();
        assertThat(master.get()).isEqualTo("b");
    }

    @Test
    void getWhenTheSentinelsPutAnotherInItsPlaceByThemselvesRefuses() {
        master.changed();
        present = "b";
        assertThatIllegalStateException()
                .isThrownBy(master::get)
                .withMessageContaining("replaced a with b, although no fault was applied to it");
    }
}
