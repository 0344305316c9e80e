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
     * @param common supplies the common publisher when a queue first needs it; closed by the caller
     * @param byQueue publishers of queues on other brokers, by queue name; queues may share a publisher. Closed by this
     *     object
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

    /** Returns the publisher of queues without a separate publisher. */
    public RabbitPublisher common() {
        RabbitPublisher made = common;
        if (made == null) {
            made = makesCommon.get();
            common = made;
        }
        return made;
    }

    /** Returns each publisher once. The common publisher is first, and included only if a queue has needed it. */
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
