// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis.start;

import org.slf4j.event.Level;

/**
 * A finding of the startup check.
 *
 * @param level ERROR if tasks may be lost or calls fail, otherwise WARN
 * @param action advice on what to do
 */
record Finding(Level level, String description, String action) {

    String text() {
        return description + " " + action;
    }
}
