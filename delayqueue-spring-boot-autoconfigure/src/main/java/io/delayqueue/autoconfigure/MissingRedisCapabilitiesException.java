// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import java.util.List;

/** A Redis server, or its user, lacks something without which calls would fail; found at the start. */
public final class MissingRedisCapabilitiesException extends InvalidDelayQueueSetupException {

    private final List<String> missing;

    public MissingRedisCapabilitiesException(String property, List<String> missing, String description, String action) {
        super(property, description, action);
        this.missing = List.copyOf(missing);
    }

    /**
     * What is missing: names of commands, or a phrase such as {@code the keys dq:{*}:*}; of a cluster with the node.
     */
    public List<String> missing() {
        return missing;
    }
}
