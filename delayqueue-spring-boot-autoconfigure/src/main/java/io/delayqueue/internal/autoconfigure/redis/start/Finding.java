// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis.start;

import org.slf4j.event.Level;

/**
 * A finding of the start check.
 *
 * @param level ERROR if tasks may be lost or calls fail, WARN if an operator should change something, otherwise INFO
 * @param action what to do, or an empty text
 */
record Finding(Level level, String description, String action) {

    String text() {
        return action.isEmpty() ? description : description + " " + action;
    }
}
