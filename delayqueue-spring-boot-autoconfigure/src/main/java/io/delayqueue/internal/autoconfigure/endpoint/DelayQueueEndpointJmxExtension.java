// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.endpoint;

import io.delayqueue.control.Caller;
import io.delayqueue.control.QueueControl;
import io.delayqueue.internal.autoconfigure.endpoint.ControlCalls.Filter;
import io.delayqueue.internal.autoconfigure.endpoint.DelayQueueAnswer.Changed;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.jmx.annotation.EndpointJmxExtension;
import org.springframework.context.annotation.ImportRuntimeHints;

/** The endpoint over JMX. Who asks is not known; the name in audit entries is {@code jmx}. */
@EndpointJmxExtension(endpoint = DelayQueueEndpoint.class)
@ImportRuntimeHints(AnswerHints.class)
public class DelayQueueEndpointJmxExtension {

    private static final Caller CALLER = Caller.unknown("jmx");

    private final ControlCalls calls;

    public DelayQueueEndpointJmxExtension(QueueControl control) {
        this.calls = new ControlCalls(control);
    }

    /** All queues with their counts. */
    @ReadOperation
    public DelayQueueAnswer.Queues queues() {
        return new DelayQueueAnswer.Queues(calls.control().queues(CALLER).found());
    }

    /** The tasks of an id in all queues. */
    @ReadOperation
    public DelayQueueAnswer.Found find(String id) {
        return new DelayQueueAnswer.Found(calls.control().find(CALLER, id).found());
    }

    /** A page of tasks. */
    @ReadOperation
    public DelayQueueAnswer.Tasks tasks(
            String queue,
            @Nullable String state,
            @Nullable String idPrefix,
            @Nullable String group,
            @Nullable String from,
            @Nullable String until,
            @Nullable String reason,
            @Nullable String header,
            @Nullable String size,
            @Nullable String after) {
        return calls.tasks(CALLER, queue, state, new Filter(idPrefix, group, from, until, reason, header), size, after);
    }

    /** What became of a task. */
    @ReadOperation
    public DelayQueueAnswer.History history(String queue, String id) {
        return calls.history(CALLER, queue, id);
    }

    /** How many tasks are due when. */
    @ReadOperation
    public DelayQueueAnswer.Histogram histogram(
            String queue, @Nullable String from, @Nullable String width, @Nullable String slices) {
        return calls.histogram(CALLER, queue, from, width, slices);
    }

    /** What all processes did with a queue in the last hour, or in the time that is said. */
    @ReadOperation
    public DelayQueueAnswer.Rates rates(String queue, @Nullable String from, @Nullable String until) {
        return calls.rates(CALLER, queue, from, until);
    }

    /** Which process has which shard. */
    @ReadOperation
    public DelayQueueAnswer.Owners owners(String queue) {
        return calls.owners(CALLER, queue);
    }

    /** The operations of all processes. */
    @ReadOperation
    public DelayQueueAnswer.Operations operations() {
        return new DelayQueueAnswer.Operations(calls.control().bulk().all(CALLER));
    }

    /** Cancels, reschedules, delivers, redrives or discards a task. */
    @WriteOperation
    public Changed changeTask(String queue, String action, String id, @Nullable String to) {
        return calls.changeTask(CALLER, action, queue, id, to);
    }

    /** Pauses, resumes or resizes a queue. */
    @WriteOperation
    public Changed changeQueue(String queue, String action, @Nullable String shards) {
        Changed changed = calls.changeQueue(CALLER, action, queue, shards);
        if (changed == null) {
            throw new IllegalArgumentException("The action has to be pause, resume or resize");
        }
        return changed;
    }

    /** Begins an operation on all tasks that a filter names. */
    @WriteOperation
    public DelayQueueAnswer.Operation startOperation(
            String queue,
            String action,
            @Nullable String idPrefix,
            @Nullable String group,
            @Nullable String from,
            @Nullable String until,
            @Nullable String reason,
            @Nullable String header,
            @Nullable String to,
            @Nullable String perSecond,
            @Nullable String dryRun,
            @Nullable String all) {
        return calls.start(
                CALLER,
                action,
                queue,
                new Filter(idPrefix, group, from, until, reason, header),
                to,
                perSecond,
                dryRun,
                all);
    }

    /** Stops or resumes an operation. */
    @WriteOperation
    public DelayQueueAnswer.Operation steerOperation(String handle, String verb) {
        return calls.steer(CALLER, handle, verb)
                .orElseThrow(() -> new IllegalArgumentException(
                        "There is no such operation, or the verb is neither stop nor resume"));
    }

    /** Deletes every task of a queue, whose name has to be given twice. */
    @DeleteOperation
    public Changed purge(String queue, String confirm) {
        return calls.purge(CALLER, queue, confirm);
    }
}
