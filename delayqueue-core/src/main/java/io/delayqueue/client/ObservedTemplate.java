// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.CancelOutcome;
import io.delayqueue.DueTime;
import io.delayqueue.IdOutcome;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.ScheduleResult;
import io.delayqueue.TaskGroup;
import io.delayqueue.TaskOutcome;
import io.delayqueue.UpdateOutcome;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The operations of another template, each call that changes something inside an observation. */
final class ObservedTemplate extends DelayQueueTemplate {

    private static final String SCHEDULE = "schedule";
    private static final String CANCEL = "cancel";
    private static final String RESCHEDULE = "reschedule";

    private final DelayQueueTemplate template;
    private final ObservedCalls calls;

    ObservedTemplate(DelayQueueTemplate template, ObservedCalls calls) {
        super(template);
        this.template = template;
        this.calls = calls;
    }

    @Override
    public ScheduleResult schedule(ScheduleRequest request) {
        return calls.observe(
                SCHEDULE,
                observedName(request.queue()),
                request.id(),
                () -> template.schedule(request),
                ScheduleResult::outcome);
    }

    @Override
    public CompletionStage<ScheduleResult> scheduleAsync(ScheduleRequest request) {
        return calls.observeStage(
                SCHEDULE,
                observedName(request.queue()),
                request.id(),
                () -> template.scheduleAsync(request),
                ScheduleResult::outcome);
    }

    @Override
    public List<TaskOutcome> scheduleAll(Collection<ScheduleRequest> requests) {
        List<String> queues = requests.stream()
                .map(ScheduleRequest::queue)
                .distinct()
                .limit(2)
                .toList();
        return calls.observe(
                SCHEDULE,
                queues.size() == 1 ? observedName(queues.get(0)) : "several",
                null,
                () -> template.scheduleAll(requests),
                lines -> ObservedCalls.common(
                        lines,
                        line -> line.result() == null ? null : line.result().outcome()));
    }

    @Override
    public List<ScheduleResult> scheduleTogether(Collection<ScheduleRequest> requests) {
        String queue = requests.stream()
                .map(ScheduleRequest::queue)
                .findFirst()
                .map(this::observedName)
                .orElse("several");
        return calls.observe(
                SCHEDULE,
                queue,
                null,
                () -> template.scheduleTogether(requests),
                results -> ObservedCalls.common(results, ScheduleResult::outcome));
    }

    @Override
    public CancelOutcome cancel(String queue, String id) {
        return calls.observe(CANCEL, observedName(queue), id, () -> template.cancel(queue, id), outcome -> outcome);
    }

    @Override
    public CompletionStage<CancelOutcome> cancelAsync(String queue, String id) {
        return calls.observeStage(
                CANCEL, observedName(queue), id, () -> template.cancelAsync(queue, id), outcome -> outcome);
    }

    @Override
    public List<IdOutcome<CancelOutcome>> cancelAll(String queue, Collection<String> ids) {
        return calls.observe(
                CANCEL,
                observedName(queue),
                null,
                () -> template.cancelAll(queue, ids),
                lines -> ObservedCalls.common(lines, IdOutcome::outcome));
    }

    @Override
    RescheduleOutcome reschedule(String queue, String id, DueTime due) {
        return calls.observe(
                RESCHEDULE, observedName(queue), id, () -> template.reschedule(queue, id, due), outcome -> outcome);
    }

    @Override
    CompletionStage<RescheduleOutcome> rescheduleAsync(String queue, String id, Supplier<DueTime> due) {
        return calls.observeStage(
                RESCHEDULE,
                observedName(queue),
                id,
                () -> template.rescheduleAsync(queue, id, due),
                outcome -> outcome);
    }

    @Override
    List<IdOutcome<RescheduleOutcome>> rescheduleAll(String queue, Collection<String> ids, DueTime due) {
        return calls.observe(
                RESCHEDULE,
                observedName(queue),
                null,
                () -> template.rescheduleAll(queue, ids, due),
                lines -> ObservedCalls.common(lines, IdOutcome::outcome));
    }

    @Override
    public TaskGroup group(String queue, String group) {
        return template.group(queue, group);
    }

    @Override
    public UpdateOutcome update(String queue, String id, Object payload) {
        return calls.observe(
                "update", observedName(queue), id, () -> template.update(queue, id, payload), outcome -> outcome);
    }
}
