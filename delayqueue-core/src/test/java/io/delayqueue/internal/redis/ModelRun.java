// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Locale;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Runs model-based properties through jqwik's engine, and fails if the engine did not run them, so that a change of the
 * JUnit platform that breaks jqwik is noticed. {@code -Ddelayqueue.model.sequences=100000} runs this number of
 * sequences, and a line of the output contains the number of their steps.
 */
public final class ModelRun {

    private static final Object SEQUENCES = new Object();
    private static int ended;
    private static long sequences;
    private static long steps;

    private ModelRun() {}

    /** Returns the number of runs that have ended. Properties that were created during a run belong to it. */
    static int ended() {
        synchronized (SEQUENCES) {
            return ended;
        }
    }

    /**
     * Runs a sequence of a run that has not ended. When its time for shrinking is over, jqwik fails the property but
     * continues to shrink on a separate thread, which must not clear the server that the next tests use.
     *
     * @param endedBefore {@link #ended} at the time when this run created its properties
     * @param length number of its steps
     */
    static void sequence(int endedBefore, int length, Runnable sequence) {
        synchronized (SEQUENCES) {
            if (ended != endedBefore) {
                throw new IllegalStateException("This run has ended");
            }
            sequence.run();
            sequences++;
            steps += length;
        }
    }

    /**
     * Runs the one property of a class. When this returns or throws, none of its sequences runs any more.
     *
     * @param usual how many sequences, where the system property says nothing
     */
    public static void of(Class<? extends ShardModelProperties> properties, int usual) {
        int wanted = Integer.getInteger("delayqueue.model.sequences", usual);
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(properties))
                .filters(EngineFilter.includeEngines("jqwik"))
                .configurationParameter("jqwik.tries.default", Integer.toString(wanted))
                .configurationParameter("jqwik.database", "target/jqwik-database")
                .configurationParameter("jqwik.shrinking.bounded.seconds", "30")
                .build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();

        synchronized (SEQUENCES) {
            sequences = 0;
            steps = 0;
        }
        try {
            LauncherFactory.create().execute(request, listener);
        } finally {
            synchronized (SEQUENCES) {
                ended++;
            }
        }

        TestExecutionSummary summary = listener.getSummary();
        StringWriter failures = new StringWriter();
        summary.printFailuresTo(new PrintWriter(failures), 40);
        assertThat(summary.getTestsFailedCount()).as(failures.toString()).isZero();
        assertThat(summary.getTestsSucceededCount()).isEqualTo(1);
        synchronized (SEQUENCES) {
            assertThat(sequences).isGreaterThanOrEqualTo(wanted);
            System.out.printf(
                    Locale.ROOT,
                    "model: %,d sequences, %,d steps, as the model does: %s%n",
                    sequences,
                    steps,
                    properties.getSimpleName());
        }
    }
}
