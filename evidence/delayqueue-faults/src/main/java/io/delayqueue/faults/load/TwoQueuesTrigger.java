// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.load;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.rabbit.RabbitAddress;
import io.delayqueue.rabbit.RabbitScanTrigger;

/**
 * Sends a part of the tasks, chosen by their ids, to a second queue of the broker, so that batches contain tasks for
 * both.
 */
final class TwoQueuesTrigger extends RabbitScanTrigger {

    private final int percent;

    /** @param percent percentage of tasks for the second queue */
    TwoQueuesTrigger(int percent) {
        super(LoadApplication.FORWARDED);
        this.percent = percent;
    }

    @Override
    protected RabbitAddress address(Delivery delivery) {
        RabbitAddress configured = super.address(delivery);
        return LoadApplication.goesToQuorumQueue(delivery.id(), percent)
                ? new RabbitAddress(configured.exchange(), LoadApplication.QUORUM_ROUTING_KEY)
                : configured;
    }
}
