// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.intake;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an intake.
 *
 * @param name name of the intake, and of the exchange for producers if the library declares the topology
 * @param queue the broker's queue that the intake consumes
 * @param delayQueue name of the delay queue that stores the messages
 * @param exchange exchange for messages that are due
 * @param exchangeType type of the exchange if the library declares the topology; otherwise null
 * @param exchangeArguments arguments of the exchange if the library declares it
 * @param taskHeaders whether published messages have the headers that identify their tasks
 */
public record IntakeSettings(
        String name,
        String queue,
        String delayQueue,
        String exchange,
        @Nullable String exchangeType,
        Map<String, Object> exchangeArguments,
        boolean taskHeaders) {

    /** Returns these settings for a topology that the library declares. Keeps a configured exchange type. */
    public IntakeSettings declaredAs(String type, Map<String, Object> arguments) {
        return new IntakeSettings(
                name,
                queue,
                delayQueue,
                exchange,
                exchangeType == null ? type : exchangeType,
                Map.copyOf(arguments),
                taskHeaders);
    }

    /** Returns the default name of the queue that an intake consumes. */
    public static String queueOf(String name) {
        return name + ".intake";
    }

    /** Returns the default name of the exchange for due messages. */
    public static String exchangeOf(String name) {
        return name + ".due";
    }

    /** Returns the name of the queue for messages that cannot be stored. */
    public String rejectedQueue() {
        return queue + ".rejected";
    }
}
