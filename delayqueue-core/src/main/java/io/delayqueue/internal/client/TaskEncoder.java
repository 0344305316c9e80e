// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import io.delayqueue.Due;
import io.delayqueue.EncodedPayload;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskContent;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.input.Bound;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.store.LongestWait;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.QueueClock;
import io.delayqueue.internal.store.TaskUpdate;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks a request and encodes its payload. A request that passes is never rejected as invalid later, except an update
 * whose headers exceed the limit together with the stored headers: only Redis can check these.
 */
record TaskEncoder(PayloadCodecs codecs, TaskBounds bounds, PayloadTypes types, DeliveryHours hours) {

    /** @param clock clock that determines when tasks are due */
    TaskEncoder(PayloadCodecs codecs, TaskBounds bounds, QueueClock clock) {
        this(codecs, bounds, new PayloadTypes(), new DeliveryHours(clock::now));
    }

    /**
     * @param added extra headers of the task; they do not count towards its limits and replace none of its own headers
     */
    NewTask encode(ScheduleRequest<?> request, QueueSettings queue, Map<String, String> added) {
        String name = queue.name();
        String id = bounds.checkId(name, request.id());
        Map<String, String> headers = new LinkedHashMap<>(bounds.checkHeaders(name, id, request.headers()));
        types.addTo(headers, request.payload());
        added.forEach(headers::putIfAbsent);
        if (request.maxWait().isPresent()) {
            headers = LongestWait.addTo(headers, request.maxWait().get());
        }
        EncodedPayload encoded = encode(request.payload(), id, queue);
        Due due = hours.due(request, queue.timing());
        return new NewTask(
                id,
                request.requestId(),
                due,
                request.conflictPolicy(),
                new TaskContent(
                        encoded.contentType(),
                        hours.timing(request, due, queue.timing()).addTo(headers),
                        encoded.bytes()),
                replicas(request, queue));
    }

    TaskUpdate encodeUpdate(@Nullable Object payload, Map<String, String> headers, String id, QueueSettings queue) {
        Map<String, String> all = new LinkedHashMap<>(bounds.checkHeaders(queue.name(), id, headers));
        if (payload == null) {
            return new TaskUpdate(null, all);
        }
        all.putAll(types.of(payload));
        return new TaskUpdate(encode(payload, id, queue), all);
    }

    private EncodedPayload encode(Object payload, String id, QueueSettings queue) {
        EncodedPayload encoded = codecs.encode(payload, queue.codec());
        bounds.checkPayload(queue.name(), id, encoded.bytes());
        return encoded;
    }

    private static int replicas(ScheduleRequest<?> request, QueueSettings queue) {
        int replicas = request.minReplicas().orElse(queue.minReplicas());
        if (!Bound.REPLICAS.allows(replicas)) {
            throw new InvalidTaskException("Queue '" + queue.name() + "', task '" + request.id() + "': " + replicas
                    + " replicas; 0 to " + QueueSettings.MOST_REPLICAS + " are allowed");
        }
        return replicas;
    }
}
