// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.springframework.beans.factory.DisposableBean;

/** The publisher of each queue: the common one, or that of another broker. */
public final class RabbitPublishers implements DisposableBean {

    private final RabbitPublisher common;
    private final Map<String, RabbitPublisher> byQueue;

    /**
     * @param common of all queues that have none of their own; closed by whoever made it
     * @param byQueue of the queues that go elsewhere, by name; several may share one. Closed with this
     */
    public RabbitPublishers(RabbitPublisher common, Map<String, RabbitPublisher> byQueue) {
        this.common = common;
        this.byQueue = Map.copyOf(byQueue);
    }

    /** The publisher of the tasks of this queue. */
    public RabbitPublisher get(String queue) {
        return byQueue.getOrDefault(queue, common);
    }

    /** Every publisher once, the common one first. */
    public Set<RabbitPublisher> all() {
        Set<RabbitPublisher> all = new LinkedHashSet<>();
        all.add(common);
        all.addAll(byQueue.values());
        return all;
    }

    /** Closes all but the common one. */
    @Override
    public void destroy() {
        all().stream().filter(publisher -> publisher != common).forEach(RabbitPublisher::destroy);
    }
}
