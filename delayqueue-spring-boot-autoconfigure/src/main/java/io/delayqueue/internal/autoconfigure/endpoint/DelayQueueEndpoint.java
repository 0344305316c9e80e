// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.endpoint;

import io.delayqueue.control.Caller;
import io.delayqueue.control.QueueControl;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * The endpoint {@code delayqueue}: sees and steers the queues. Its operations beside this one are those of {@link
 * DelayQueueEndpointWebExtension} over HTTP and of {@link DelayQueueEndpointJmxExtension} over JMX.
 *
 * <p>It only reads until {@code management.endpoint.delayqueue.access} is {@code unrestricted}. As all endpoints but the
 * health's it is exposed to nobody until {@code management.endpoints.web.exposure.include} names it.
 */
@Endpoint(id = "delayqueue", defaultAccess = Access.READ_ONLY)
public class DelayQueueEndpoint {

    private final QueueControl control;

    public DelayQueueEndpoint(QueueControl control) {
        this.control = control;
    }

    /** All queues with their counts. */
    @ReadOperation
    public DelayQueueAnswer.Queues queues() {
        return new DelayQueueAnswer.Queues(
                control.queues(Caller.unknown("unknown")).found());
    }
}
