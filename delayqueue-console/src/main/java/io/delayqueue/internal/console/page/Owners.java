// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.DelayQueueException;
import io.delayqueue.control.Caller;
import io.delayqueue.control.QueueControl;
import io.delayqueue.control.ShardOwner;
import io.delayqueue.internal.concurrent.NamedThreads;
import io.delayqueue.internal.console.html.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which processes own the shards of a queue. To find out may take seconds, so no page waits for it: it shows what was known a
 * moment ago, and its live part the rest. Only for callers who were seen to be allowed to read the queue. Safe for use by many
 * threads.
 */
final class Owners {

    private static final Logger log = LoggerFactory.getLogger(Owners.class);

    private static final long KEEP = TimeUnit.SECONDS.toNanos(5);
    private static final long PATIENCE_MILLIS = 20;

    private final QueueControl control;
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            2, 2, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), NamedThreads.bareDaemons("delayqueue-console-"));

    Owners(QueueControl control) {
        this.control = control;
        threads.allowCoreThreadTimeOut(true);
    }

    /** @param last what was known before */
    private record Answer(long askedAt, CompletableFuture<List<ShardOwner>> now, List<ShardOwner> last) {

        boolean isOld() {
            return now.isDone() && System.nanoTime() - askedAt > KEEP;
        }
    }

    /** Each process with what it owns; empty where nothing is known yet, or nobody is known to deliver. */
    List<String> of(Caller caller, String queue) {
        Answer answer = answers.compute(
                queue, (name, known) -> known == null || known.isOld() ? ask(caller, name, known) : known);
        try {
            return words(answer.now().get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS));
        } catch (TimeoutException ex) {
            return words(answer.last());
        } catch (ExecutionException ex) {
            return List.of();
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    private Answer ask(Caller caller, String queue, @Nullable Answer known) {
        List<ShardOwner> last = known == null ? List.of() : known.now().getNow(known.last());
        return new Answer(System.nanoTime(), CompletableFuture.supplyAsync(() -> read(caller, queue), threads), last);
    }

    private List<ShardOwner> read(Caller caller, String queue) {
        try {
            return control.owners(caller, queue);
        } catch (DelayQueueException ex) {
            log.debug("The owners of queue '{}' are not known", queue, ex);
            return List.of();
        }
    }

    private static List<String> words(List<ShardOwner> owners) {
        Map<String, Integer> shards = new TreeMap<>();
        for (ShardOwner owner : owners) {
            String process = owner.process();
            if (process != null) {
                shards.merge(process, 1, Integer::sum);
            }
        }
        List<String> words = new ArrayList<>();
        shards.forEach((process, count) -> words.add(process + " (" + Numbers.of(count, "shard") + ")"));
        return words;
    }
}
