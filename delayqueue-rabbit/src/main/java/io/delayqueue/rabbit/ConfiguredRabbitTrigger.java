// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

/** The trigger of a queue that the configuration describes wholly, with its exchange. */
public final class ConfiguredRabbitTrigger extends RabbitScanTrigger {

    /** @param queue name of a configured queue whose {@link RabbitRoute} has an exchange */
    public ConfiguredRabbitTrigger(String queue) {
        super(queue);
    }

    @Override
    boolean hasOneAddress() {
        return true;
    }
}
