// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.mutant;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Consumer;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** The code that the mutant of the intake calls instead of the library's code. */
public final class IntakeMutations {

    private static final long BETWEEN_STORES_MILLIS = 100;

    private IntakeMutations() {}

    /** Consumes messages in such a way that the broker considers them acknowledged when it sends them. */
    public static String consumeAcknowledged(Channel channel, String queue, boolean acknowledged, Consumer consumer)
            throws IOException {
        return channel.basicConsume(queue, true, consumer);
    }

    /**
     * Acknowledges nothing, because the broker does not wait for acknowledgements, and lets further messages arrive.
     */
    public static void collect(Channel channel, long tag, boolean multiple) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(BETWEEN_STORES_MILLIS);
    }
}
