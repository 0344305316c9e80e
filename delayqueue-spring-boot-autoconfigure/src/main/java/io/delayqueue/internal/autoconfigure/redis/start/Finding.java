// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis.start;

import org.slf4j.event.Level;

/**
 * A result of the start check.
 *
 * @param level ERROR for what may lose tasks or fails calls, WARN for what an operator should change, INFO otherwise
 * @param action what to do, or an empty text
 */
record Finding(Level level, String description, String action) {

    String text() {
        return action.isEmpty() ? description : description + " " + action;
    }
}
