// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.publisher;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;

/** The publisher of each queue: the common publisher or that of another broker. */
public final class RabbitPublishers implements DisposableBean {

    private final Supplier<RabbitPublisher> makesCommon;
    private final Map<String, RabbitPublisher> byQueue;
    private volatile @Nullable RabbitPublisher common;

    /**
     * @param common supplies the one publisher of all other queues; called when the first of them needs it. The caller
     *     closes the publisher.
     * @param byQueue the publishers of queues on other brokers, by queue name; queues may share a publisher. This
     *     object closes them.
     */
    public RabbitPublishers(Supplier<RabbitPublisher> common, Map<String, RabbitPublisher> byQueue) {
        this.makesCommon = common;
        this.byQueue = Map.copyOf(byQueue);
    }

    /** Returns the publisher for this queue. */
    public RabbitPublisher get(String queue) {
        RabbitPublisher own = byQueue.get(queue);
        return (own != null) ? own : common();
    }

    /** Returns the publisher of the queues that have none of their own. */
    public RabbitPublisher common() {
        RabbitPublisher made = common;
        if (made == null) {
            made = makesCommon.get();
            common = made;
        }
        return made;
    }

    /** Returns each publisher once, the common publisher first, if a queue has needed it. */
    public Set<RabbitPublisher> all() {
        Set<RabbitPublisher> all = new LinkedHashSet<>();
        RabbitPublisher made = common;
        if (made != null) {
            all.add(made);
        }
        all.addAll(byQueue.values());
        return all;
    }

    /** Closes all but the common publisher. */
    @Override
    public void destroy() {
        byQueue.values().stream().distinct().forEach(RabbitPublisher::destroy);
    }
}
