// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import static io.delayqueue.internal.control.ControlScene.EVE;
import static io.delayqueue.internal.control.ControlScene.QUEUE;
import static io.delayqueue.internal.control.ControlScene.TASKS;
import static io.delayqueue.internal.control.ControlScene.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.delayqueue.TaskState;
import io.delayqueue.UnknownQueueException;
import io.delayqueue.control.AuditEntry;
import io.delayqueue.control.BulkOperations;
import io.delayqueue.control.Caller;
import io.delayqueue.control.OperationView;
import io.delayqueue.control.OperationView.Status;
import io.delayqueue.control.TaskFilter;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Operations by filter from code of the application. */
class BulkOperationsIntegrationTests {

    private static final TaskFilter VIP = TaskFilter.ALL.withIdPrefix("vip-");
    private static final int VIPS = TASKS / 3;

    private final ControlScene scene = new ControlScene(null);
    private final BulkOperations bulk = scene.control.operations();

    @AfterEach
    void close() {
        scene.close();
    }

    private OperationView ended(OperationView started) {
        return await().pollInterval(Duration.ofMillis(10))
                .until(
                        () -> bulk.find(started.handle()).orElseThrow(),
                        operation -> operation.status() != Status.RUNNING);
    }

    private List<String> waiting(TaskFilter filter) {
        return scene.pages(TaskState.SCHEDULED, filter, 500);
    }

    @Test
    void cancelWhenNobodyHasPermissionsIsTheApplicationsAllTheSame() {
        scene.schedule();
        scene.permissions = Set.of();

        OperationView done = ended(bulk.cancel(QUEUE, VIP));

        assertThat(done.status()).isEqualTo(Status.DONE);
        assertThat(done.done()).isEqualTo(VIPS);
        assertThat(done.by()).isEqualTo("application");
        assertThat(bulk.all()).extracting(OperationView::handle).containsExactly(done.handle());
        scene.permissions = ControlScene.EVERYTHING;
        assertThat(waiting(TaskFilter.ALL)).hasSize(TASKS - VIPS);
        assertThat(scene.audit).extracting(AuditEntry::action).containsExactly("operation-cancel", "operation-cancel");
    }

    @Test
    void callerWhenNamedLikeTheApplicationHasNoPermissionsByThat() {
        scene.permissions = Set.of();

        assertThatExceptionOfType(UnknownQueueException.class)
                .isThrownBy(() -> scene.control.queue(Caller.unknown("application"), QUEUE));
        assertThatExceptionOfType(UnknownQueueException.class).isThrownBy(() -> bulk.cancel("unknown", TaskFilter.ALL));
        assertThat(scene.control.permissions(EVE, QUEUE)).isEmpty();
    }

    @Test
    void rescheduleWhenMadeMovesTheTasksOfTheFilter() {
        scene.schedule();

        OperationView done = ended(bulk.reschedule(QUEUE, VIP, at(1_000)));

        assertThat(done.done()).isEqualTo(VIPS);
        assertThat(waiting(TaskFilter.ALL.between(at(1_000), null))).hasSize(VIPS);
    }

    @Test
    void deliverWhenPacedMakesTheTasksDueAndRefusesNoPace() {
        scene.schedule();

        OperationView done = ended(bulk.deliver(QUEUE, VIP, 1_000));

        assertThat(done.done()).isEqualTo(VIPS);
        assertThat(waiting(VIP.between(at(0), null))).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> bulk.deliver(QUEUE, VIP, 0));
    }
}
