// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.EncodedPayload;

/**
 * A new payload for a waiting task.
 *
 * @param type type of the payload, which selects its handler; empty for none
 * @param version version of the payload; 0 for none
 */
public record NewPayload(EncodedPayload payload, String type, int version) {

    String versionText() {
        return (version == 0) ? "" : Integer.toString(version);
    }
}
