// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import java.time.Instant;

/**
 * An order at one moment.
 *
 * @param id its number
 * @param item what was ordered
 * @param status its status
 * @param payBefore time when it is closed unless it is paid; in whole milliseconds, like due times
 */
record Order(String id, String item, Status status, Instant payBefore) {

    enum Status {
        OPEN,
        PAID,
        CLOSED
    }
}
