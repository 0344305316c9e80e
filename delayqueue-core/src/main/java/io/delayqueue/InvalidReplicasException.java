// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/** Thrown if a request requires an invalid number of replicas. */
public class InvalidReplicasException extends InvalidTaskException {

    public InvalidReplicasException(String message) {
        super(message);
    }
}
