// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page with all figures, beside the runs that it was made of. */
class PublishedResultsTests {

    private static final Path FOLDER = Path.of("..", "..", "docs", "benchmarks");
    private static final Pattern CHART = Pattern.compile("^!\\[([^]]+)]", Pattern.MULTILINE);
    private static final Pattern OF_THE_MACHINE = Pattern.compile("^- ([^:\n]+): (.+)$", Pattern.MULTILINE);

    /** Their floods are smaller, and only those of full runs are published. */
    private static final Map<String, String> FLOODS_OF_SHORT_RUNS = Map.of(
            "W2a", "30,000 ",
            "W2b", "100,000 ",
            "W10", "200,000 ",
            "W16", "30,000 ");

    private final List<Run> runs = new ResultFile(FOLDER.resolve("results-full.json")).read();
    private final Results results = new Results(runs);

    /** A metric that is renamed where it is measured, and not where its target is set, would otherwise drop out unseen. */
    @Test
    void publishedRunsMeasureWhatEveryTargetIsSetFor() {
        assertThat(Targets.ALL.stream()
                        .filter(target -> !isOfShortRuns(target) && !isMeasured(target))
                        .map(target -> target.workload() + ", " + target.what()))
                .isEmpty();
    }

    @Test
    void publishedPageIsWhatItsRunsSay() throws IOException {
        String page = Files.readString(FOLDER.resolve("results-full.md"));
        List<String> charts = new ArrayList<>();
        CHART.matcher(page).results().map(found -> found.group(1)).forEach(charts::add);

        assertThat(new Report(runs, machine(page)).text("Results, full", charts))
                .isEqualTo(page);
        assertThat(charts)
                .isNotEmpty()
                .allSatisfy(chart -> assertThat(FOLDER.resolve(chart)).exists());
    }

    private static boolean isOfShortRuns(Target target) {
        String flood = FLOODS_OF_SHORT_RUNS.get(target.workload());
        return flood != null && target.metric().startsWith(flood);
    }

    private boolean isMeasured(Target target) {
        return Run.VARIANTS.stream()
                .map(variant -> target.with(Run.suffix(variant)).judge(results.in(variant)))
                .anyMatch(verdict -> verdict != null && verdict.measured() != null);
    }

    private static Map<String, String> machine(String page) {
        Map<String, String> machine = new LinkedHashMap<>();
        String part = page.substring(page.indexOf("\n## Measured on\n"));
        for (MatchResult found : OF_THE_MACHINE.matcher(part).results().toList()) {
            machine.put(found.group(1), found.group(2));
        }
        return machine;
    }
}
