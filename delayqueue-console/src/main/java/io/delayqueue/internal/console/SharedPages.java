// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import io.delayqueue.control.Caller;
import io.delayqueue.control.QueuePermission;
import io.delayqueue.internal.console.page.Page;
import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.control.QueueControl;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A short-lived cache for pages that browsers poll. Viewers of a page who have the same permissions share it. A page,
 * or the failure to create it, is shared for two seconds from the start of its creation, or longer until it is
 * complete. Thread-safe.
 */
final class SharedPages {

    static final long KEEP_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final QueueControl control;
    private final BiFunction<ConsoleRequest, List<String>, Optional<Page>> source;
    private final LongSupplier nanos;
    private final Map<Key, Made> made = new ConcurrentHashMap<>();

    /** @param source creates a page; blocks */
    SharedPages(
            QueueControl control, BiFunction<ConsoleRequest, List<String>, Optional<Page>> source, LongSupplier nanos) {
        this.control = control;
        this.source = source;
        this.nanos = nanos;
    }

    /**
     * @param problems queues whose problems the caller may see
     * @param name the name of the caller, if the page is only for this caller
     */
    private record Key(
            Object permissions,
            Set<String> problems,
            @Nullable String name,
            String base,
            List<String> segments,
            Map<String, String> parameters) {}

    private record Made(long begunAt, FutureTask<Optional<Page>> page) {

        boolean isOld(long now) {
            return page.isDone() && now - begunAt >= KEEP_NANOS;
        }
    }

    Optional<Page> find(ConsoleRequest request, List<String> segments) {
        long now = nanos.getAsLong();
        made.values().removeIf(page -> page.isOld(now));
        Made own = new Made(now, new FutureTask<>(() -> source.apply(request, segments)));
        Made first = made.putIfAbsent(key(request, segments), own);
        if (first != null) {
            return answer(first.page());
        }
        own.page().run();
        return answer(own.page());
    }

    /** Removes all pages after a change, so that no caller sees the old state. */
    void forget() {
        made.clear();
    }

    private static Optional<Page> answer(FutureTask<Optional<Page>> page) {
        try {
            return page.get();
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new CancellationException("Interrupted while another request created the page");
        } catch (ExecutionException ex) {
            if (ex.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(ex);
        }
    }

    /**
     * Returns the key of a page. It contains the current permissions, so a caller who has lost a permission does not
     * see an older page.
     */
    private Key key(ConsoleRequest request, List<String> segments) {
        Caller caller = request.caller();
        boolean isOfQueue = segments.size() > 1 && segments.get(0).equals("queues");
        Set<QueuePermission> ofQueue = isOfQueue ? Set.copyOf(control.permissions(caller, segments.get(1))) : Set.of();
        boolean isShared = segments.isEmpty() || ofQueue.contains(QueuePermission.READ);
        // The page of a queue shows processes, with figures over all their queues.
        boolean isBelowQueue = isOfQueue && segments.size() > 2;
        return new Key(
                isBelowQueue ? ofQueue : control.permissions(caller),
                segments.isEmpty() ? Set.copyOf(control.problems(caller).keySet()) : Set.of(),
                isShared ? null : caller.name(),
                request.base(),
                segments,
                request.parameters());
    }
}
