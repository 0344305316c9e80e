// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.codec;

import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Converts stored payloads from one version to the next, before they are decoded. Declare a bean for each version that
 * may still be stored. Payloads pass through all upgrades in order, up to the
 * {@link io.delayqueue.annotation.PayloadVersion} of the class.
 * <pre>{@code
 * @Bean
 * PayloadUpgrade reminderTo2() {
 *     return new PayloadUpgrade(Reminder.class, 1, fields -> {
 *         fields.put("recipient", fields.remove("email"));
 *         return fields;
 *     });
 * }
 * }</pre>
 *
 * @param type the class that the payload is decoded to
 * @param from the version that this upgrade accepts; its result is one version higher
 * @param step receives the fields of a payload as a mutable map, with nested maps and lists, and returns the fields of
 *     the next version. If it throws, the task is quarantined. Must be thread-safe
 */
public record PayloadUpgrade(Class<?> type, int from, UnaryOperator<Map<String, Object>> step) {}
