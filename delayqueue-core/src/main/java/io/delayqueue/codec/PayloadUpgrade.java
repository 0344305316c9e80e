// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.codec;

import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Turns stored payloads of one version into the next one, before they are decoded. Declare a bean for each version that may still
 * be stored. Payloads pass one upgrade after the other, up to the {@link io.delayqueue.annotation.PayloadVersion} of the class.
 *
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
 * @param from the version that this takes; what it returns is one version higher
 * @param step takes the fields of a payload in a map of its own, nested ones as maps and lists, and returns those of the next
 *     version. If it throws, the task is quarantined. Called by many threads at once
 */
public record PayloadUpgrade(Class<?> type, int from, UnaryOperator<Map<String, Object>> step) {}
