// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.publisher;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.springframework.beans.factory.DisposableBean;

/** The publisher of each queue: the common publisher or that of another broker. */
public final class RabbitPublishers implements DisposableBean {

    private final RabbitPublisher common;
    private final Map<String, RabbitPublisher> byQueue;

    /**
     * @param common publisher of all other queues; the caller closes it
     * @param byQueue publishers by queue name, for queues on other brokers; queues may share a publisher. Closed with
     *     this object.
     */
    public RabbitPublishers(RabbitPublisher common, Map<String, RabbitPublisher> byQueue) {
        this.common = common;
        this.byQueue = Map.copyOf(byQueue);
    }

    /** Returns the publisher for this queue. */
    public RabbitPublisher get(String queue) {
        return byQueue.getOrDefault(queue, common);
    }

    /** Returns each publisher once, the common publisher first. */
    public Set<RabbitPublisher> all() {
        Set<RabbitPublisher> all = new LinkedHashSet<>();
        all.add(common);
        all.addAll(byQueue.values());
        return all;
    }

    /** Closes all but the common publisher. */
    @Override
    public void destroy() {
        all().stream().filter(publisher -> publisher != common).forEach(RabbitPublisher::destroy);
    }
}
