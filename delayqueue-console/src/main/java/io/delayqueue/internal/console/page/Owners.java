// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.control.Caller;
import io.delayqueue.internal.console.html.Numbers;
import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.control.QueueControl;
import io.delayqueue.internal.control.QueueView;
import io.delayqueue.internal.control.ShardOwner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processes that scan the shards of each queue. The answer may take seconds, so a page first shows the previous
 * answer, and the next update of the page shows the new one. Thread-safe.
 */
final class Owners {

    private static final Logger log = LoggerFactory.getLogger(Owners.class);

    private static final long KEEP = TimeUnit.SECONDS.toNanos(5);
    private static final long PATIENCE_MILLIS = 20;

    private final QueueControl control;
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();

    Owners(QueueControl control) {
        this.control = control;
    }

    /** @param last the answer before */
    private record Answer(long askedAt, CompletableFuture<List<ShardOwner>> now, List<ShardOwner> last) {

        boolean isOld() {
            return now.isDone() && System.nanoTime() - askedAt > KEEP;
        }
    }

    /** Returns each process with the number of its shards; empty while nothing is known. */
    List<View> of(Caller caller, QueueView queue) {
        Answer answer = answers.compute(
                queue.queue(), (name, known) -> known == null || known.isOld() ? ask(caller, queue, known) : known);
        try {
            return words(answer.now().get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS));
        } catch (TimeoutException ex) {
            return words(answer.last());
        } catch (ExecutionException ex) {
            log.debug("Queue '{}': could not find out which processes scan it", queue.queue(), ex);
            return List.of();
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    private Answer ask(Caller caller, QueueView queue, @Nullable Answer known) {
        List<ShardOwner> last = List.of();
        if (known != null && !known.now().isCompletedExceptionally()) {
            last = known.now().getNow(known.last());
        }
        return new Answer(System.nanoTime(), control.ownersLater(caller, queue), last);
    }

    private static List<View> words(List<ShardOwner> owners) {
        Map<String, Integer> shards = new TreeMap<>();
        for (ShardOwner owner : owners) {
            String process = owner.process();
            if (process != null) {
                shards.merge(process, 1, Integer::sum);
            }
        }
        List<View> words = new ArrayList<>();
        shards.forEach((process, count) ->
                words.add(View.of("process", process).with("ownedShards", Numbers.of(count, "shard"))));
        return words;
    }
}
