// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.EncodedPayload;
import io.delayqueue.FoundTask;
import io.delayqueue.control.PayloadFormatter;
import io.delayqueue.internal.control.TaskDetails.Payload;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows payloads if the caller may see them and a formatter exists. */
record ShownPayloads(@Nullable PayloadFormatter formatter) {

    private static final Logger log = LoggerFactory.getLogger(ShownPayloads.class);

    Payload of(FoundTask<EncodedPayload> task, boolean isAllowed) {
        String type = task.payload().contentType();
        int size = task.payload().bytes().length;
        PayloadFormatter format = formatter;
        if (format == null || !isAllowed) {
            return new Payload(
                    type,
                    size,
                    null,
                    isAllowed ? "there is no PayloadFormatter" : "hidden (you lack the PAYLOAD permission)");
        }
        try {
            String text = format.format(task);
            return new Payload(type, size, text, text == null ? "the PayloadFormatter returned no text" : null);
        } catch (RuntimeException | StackOverflowError ex) {
            log.warn(
                    "Queue '{}', task '{}': hiding the payload, because the PayloadFormatter threw {}",
                    task.queue(),
                    task.id(),
                    ex.getClass().getName());
            return new Payload(type, size, null, "the PayloadFormatter failed");
        }
    }
}
