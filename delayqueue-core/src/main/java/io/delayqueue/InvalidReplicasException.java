// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/** A request asks for a number of replicas that cannot be. */
public class InvalidReplicasException extends InvalidTaskException {

    public InvalidReplicasException(String message) {
        super(message);
    }
}
