// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayqueue.faults.cell.Cells;
import io.delayqueue.faults.mutant.Mutant;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CampaignOptionsTests {

    private final Cells cells = new Cells();

    @Test
    void planWhenNothingIsNamedHasAllCellsAndRoundsWithTwoSeeds() {
        List<Planned> runs = read("--campaign").plan(cells).runs();
        assertThat(runs)
                .hasSize(2 * (cells.all().size() + 3))
                .contains(new Planned("quiet", null, 1, 120, false), new Planned("quiet", null, 2, 120, false))
                .contains(new Planned("outbox-pg-kill", null, 2, 120, false))
                .contains(new Planned("outbox-rounds-pgbouncer", null, 2, 120, true))
                .allMatch(run -> run.mutant() == null);
        assertThat(read("--campaign", "--mutants").plan(cells).runs())
                .containsAll(runs)
                .filteredOn(run -> run.mutant() != null)
                .hasSize(Mutant.values().length);
    }

    @Test
    void planWhenSomeAreNamedHasTheseAlone() {
        assertThat(read("--seeds", "1", "--seconds", "90", "quiet", "pop-without-lease", "outbox-rounds-mariadb")
                        .plan(cells)
                        .runs())
                .containsExactly(
                        new Planned("quiet", null, 1, 90, false),
                        new Planned("outbox-rounds-mariadb", null, 1, 90, true),
                        new Planned("application-kill-one", "pop-without-lease", 1, 60, false));
    }

    @Test
    void readWhenAllIsSaidTakesIt() {
        CampaignOptions options = read(
                "--jobs", "2", "--portion", "30m", "--again", "--library", "abc", "--outbox", "123", "--commit", "def");
        assertThat(options.jobs).isEqualTo(2);
        assertThat(options.portion).isEqualTo(Duration.ofMinutes(30));
        assertThat(options.again).isTrue();
        assertThat(options.plan(cells).library()).isEqualTo(new LibraryCommits("abc", "123"));
        assertThat(options.commit).isEqualTo("def");
    }

    @Test
    void readWhenSomethingIsNotUnderstoodSaysWhat() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read("--sedes", "2"))
                .withMessageContaining("--sedes");
        assertThatIllegalArgumentException().isThrownBy(() -> read("--seeds")).withMessageContaining("--seeds");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read("--seeds", "two"))
                .withMessageContaining("two");
        assertThatIllegalArgumentException().isThrownBy(() -> read("--jobs", "0"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read("no-such-cell").plan(cells))
                .withMessageContaining("no-such-cell");
    }

    private static CampaignOptions read(String... arguments) {
        return CampaignOptions.read(arguments);
    }
}
