// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.control.Caller;
import io.delayqueue.control.QueuePermission;
import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.console.page.Page;
import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.console.request.ConsoleRequest.Origin;
import io.delayqueue.internal.control.QueueControl;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.trigger.TestQueues;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SharedPagesIntegrationTests {

    private static final List<String> QUEUE = List.of("queues", "mails");

    private final TestQueues queues =
            new TestQueues(QueueSettingsBuilder.withDefaults("mails"), QueueSettingsBuilder.withDefaults("orders"));
    private final QueueControl control = new QueueControl(
            queues.admin(),
            queues.template(),
            (caller, queue) -> caller.isInRole("OPERATOR")
                    ? Set.of(QueuePermission.READ, QueuePermission.OPERATE)
                    : caller.isInRole("AUDITOR") || caller.isInRole("READER") && queue.equals("mails")
                            ? Set.of(QueuePermission.READ)
                            : Set.of(),
            null,
            List.of(),
            queues.store(),
            List::of,
            () -> Map.of("removed", "no live process delivers it"),
            null);
    private final AtomicLong nanos = new AtomicLong(-5);
    private final List<String> madeFor = new ArrayList<>();
    private final SharedPages pages = new SharedPages(control, this::make, nanos::get);
    private boolean fails;

    @AfterEach
    void close() {
        control.close();
        queues.close();
    }

    private Optional<Page> make(ConsoleRequest request, List<String> segments) {
        madeFor.add(request.caller().name());
        if (fails) {
            throw new TaskStoreTimeoutException("Redis is away", true, null);
        }
        return Optional.of(new Page("Queue", "queue", View.of("queue", "mails"), List.of()));
    }

    private Optional<Page> look(String name, String role, List<String> segments, Map<String, String> parameters) {
        Caller caller = Caller.of(() -> name, role::equals);
        return pages.find(
                new ConsoleRequest(
                        "GET",
                        "/" + String.join("/", segments),
                        parameters,
                        caller,
                        "/delayqueue",
                        Map::of,
                        new Origin(null, null, "localhost"),
                        Instant.EPOCH),
                segments);
    }

    @Test
    void pageWhenManyWhoMayDoTheSameLookAtItIsMadeOnceInTwoSeconds() {
        for (int viewer = 0; viewer < 50; viewer++) {
            look("reader-" + viewer, "READER", QUEUE, Map.of());
        }
        assertThat(madeFor).containsExactly("reader-0");

        nanos.addAndGet(SharedPages.KEEP_NANOS - 1);
        look("late", "READER", QUEUE, Map.of());
        assertThat(madeFor).containsExactly("reader-0");

        nanos.incrementAndGet();
        look("later", "READER", QUEUE, Map.of());
        assertThat(madeFor).containsExactly("reader-0", "later");
    }

    @Test
    void pageWhenOthersMayDoMoreOrLookAtAnotherPartIsNotTheirs() {
        look("ann", "READER", QUEUE, Map.of());
        look("bob", "OPERATOR", QUEUE, Map.of());
        look("cid", "READER", QUEUE, Map.of("zoom", "week"));
        look("dan", "READER", List.of(), Map.of());

        assertThat(madeFor).containsExactly("ann", "bob", "cid", "dan");
    }

    /** Else a reader would see how busy the processes are with queues that are hidden from them. */
    @Test
    void queueWhenAnotherViewerSeesMoreQueuesIsNotTheirs() {
        look("ann", "AUDITOR", QUEUE, Map.of());
        look("bob", "READER", QUEUE, Map.of());

        assertThat(madeFor).containsExactly("ann", "bob");
    }

    /** Else a reader would see the problems of a queue that is hidden from them. */
    @Test
    void overviewWhenAnotherViewerSeesProblemsOfMoreQueuesIsNotTheirs() {
        look("ann", "AUDITOR", List.of(), Map.of());
        look("bob", "READER", List.of(), Map.of());
        look("cid", "READER", List.of(), Map.of());

        assertThat(madeFor).containsExactly("ann", "bob");
    }

    @Test
    void pageWhenItMayTellWhoLooksIsTheirsAlone() {
        look("ann", "READER", List.of("operations"), Map.of());
        look("bob", "READER", List.of("operations"), Map.of());
        look("eve", "NONE", QUEUE, Map.of());
        look("fay", "NONE", QUEUE, Map.of());

        assertThat(madeFor).containsExactly("ann", "bob", "eve", "fay");
    }

    /** Else each of many viewers would wait for a Redis that is away, one after the other. */
    @Test
    void pageWhenItCannotBeMadeFailsForAllAndIsTriedAgainAfterwards() {
        fails = true;
        for (String name : List.of("ann", "bob")) {
            assertThatExceptionOfType(TaskStoreTimeoutException.class)
                    .isThrownBy(() -> look(name, "READER", QUEUE, Map.of()));
        }
        assertThat(madeFor).containsExactly("ann");

        fails = false;
        nanos.addAndGet(SharedPages.KEEP_NANOS);
        assertThat(look("bob", "READER", QUEUE, Map.of())).isPresent();
    }

    @Test
    void pageAfterAChangeIsMadeAgain() {
        look("ann", "READER", QUEUE, Map.of());
        pages.forget();
        look("bob", "READER", QUEUE, Map.of());

        assertThat(madeFor).containsExactly("ann", "bob");
    }
}
