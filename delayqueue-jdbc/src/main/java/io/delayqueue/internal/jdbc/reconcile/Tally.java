// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.reconcile;

import io.delayqueue.jdbc.ReconcileDifference;
import io.delayqueue.jdbc.ReconcileDifference.Kind;
import io.delayqueue.jdbc.ReconcilePlace;
import io.delayqueue.jdbc.ReconcileRequest;
import io.delayqueue.jdbc.ReconcileResult;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** What a run has found so far, how far it has come, and its pace. */
final class Tally {

    private static final int MOST_EXAMPLES = 100;
    private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ReconcileRequest request;
    private long nextLook = System.nanoTime();
    private final Map<Kind, Long> found = new EnumMap<>(Kind.class);
    private final Map<Kind, Long> mended = new EnumMap<>(Kind.class);
    private final List<ReconcileDifference> examples = new ArrayList<>();
    private long looked;
    private long underWay;
    private ReconcilePlace place;
    private boolean finished;

    Tally(ReconcileRequest request) {
        this.request = request;
        this.place = request.from();
        for (Kind kind : Kind.values()) {
            found.put(kind, 0L);
            mended.put(kind, 0L);
        }
    }

    /**
     * Waits until one more task may be looked at; less where the thread is interrupted. What queries, settling and mending take
     * is made up for by no more than a short burst.
     */
    void look() {
        looked++;
        nextLook =
                Math.max(nextLook, System.nanoTime() - BURST_NANOS) + TimeUnit.SECONDS.toNanos(1) / request.perSecond();
        pauseUntil(nextLook);
    }

    /** Waits until what was seen has had time to settle. */
    void settle() {
        pauseUntil(System.nanoTime() + request.settle().toNanos());
    }

    void underWay() {
        underWay++;
    }

    void add(ReconcileDifference difference) {
        found.merge(difference.kind(), 1L, Long::sum);
        if (difference.mended()) {
            mended.merge(difference.kind(), 1L, Long::sum);
        }
        if (examples.size() < MOST_EXAMPLES) {
            examples.add(difference);
        }
        request.listener().accept(difference);
    }

    /** All before this place was compared. */
    void reached(ReconcilePlace place) {
        this.place = place;
        this.finished = place.leftOvers() && !request.leftOvers();
    }

    void finished() {
        this.finished = true;
    }

    ReconcilePlace place() {
        return place;
    }

    ReconcileResult result() {
        return new ReconcileResult(
                request.queue(),
                looked,
                underWay,
                Map.copyOf(found),
                Map.copyOf(mended),
                List.copyOf(examples),
                finished ? Optional.empty() : Optional.of(place));
    }

    String line() {
        String kinds = found.entrySet().stream()
                .map(each -> each.getKey().name().toLowerCase(Locale.ROOT).replace('_', ' ') + " " + each.getValue()
                        + " (mended " + mended.get(each.getKey()) + ")")
                .collect(Collectors.joining(", "));
        return "Queue '" + request.queue() + "' compared with the database: tasks looked at " + looked + ", " + kinds
                + ", under way " + underWay + (finished ? "" : "; not finished");
    }

    static boolean isInterrupted() {
        return Thread.currentThread().isInterrupted();
    }

    private static void pauseUntil(long nanoTime) {
        for (long pause = nanoTime - System.nanoTime();
                pause > 0 && !isInterrupted();
                pause = nanoTime - System.nanoTime()) {
            LockSupport.parkNanos(pause);
        }
    }
}
