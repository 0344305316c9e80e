// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.endpoint;

import io.delayqueue.DelayQueueException;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.UnknownQueueException;
import io.delayqueue.admin.ResizeException;
import io.delayqueue.control.AccessRefusedException;
import io.delayqueue.control.TooManyOperationsException;
import io.delayqueue.internal.autoconfigure.endpoint.DelayQueueAnswer.Changed;
import io.delayqueue.internal.autoconfigure.endpoint.DelayQueueAnswer.Refused;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/** Gives answers and errors the status of HTTP that they have. */
final class WebAnswers {

    static final DelayQueueAnswer NOTHING_THERE = new Refused("There is no such thing");

    private static final int ACCEPTED = 202;
    private static final int FORBIDDEN = 403;
    private static final int CONFLICT = 409;

    private WebAnswers() {}

    static DelayQueueAnswer orNothing(Optional<? extends DelayQueueAnswer> answer) {
        return answer.isPresent() ? answer.get() : NOTHING_THERE;
    }

    static WebEndpointResponse<DelayQueueAnswer> of(Supplier<DelayQueueAnswer> call) {
        try {
            DelayQueueAnswer answer = call.get();
            return new WebEndpointResponse<>(answer, status(answer));
        } catch (IllegalArgumentException | DelayQueueException ex) {
            return new WebEndpointResponse<>(new Refused(String.valueOf(ex.getMessage())), status(ex));
        }
    }

    private static int status(DelayQueueAnswer answer) {
        if (answer == NOTHING_THERE || (answer instanceof Changed changed && changed.foundNothing())) {
            return WebEndpointResponse.STATUS_NOT_FOUND;
        }
        return answer instanceof DelayQueueAnswer.Operation ? ACCEPTED : WebEndpointResponse.STATUS_OK;
    }

    private static int status(RuntimeException ex) {
        if (ex instanceof AccessRefusedException) {
            return FORBIDDEN;
        }
        if (ex instanceof UnknownQueueException) {
            return WebEndpointResponse.STATUS_NOT_FOUND;
        }
        if (ex instanceof InvalidTaskException || ex instanceof IllegalArgumentException) {
            return WebEndpointResponse.STATUS_BAD_REQUEST;
        }
        if (ex instanceof ResizeException) {
            return CONFLICT;
        }
        return ex instanceof TooManyOperationsException
                ? WebEndpointResponse.STATUS_TOO_MANY_REQUESTS
                : WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE;
    }
}
