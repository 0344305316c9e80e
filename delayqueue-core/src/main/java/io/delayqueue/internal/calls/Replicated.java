// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.calls;

import java.util.function.Function;

/**
 * The store's answer to a call whose effect was to be on replicas as well.
 *
 * @param answer what the call did
 * @param replicas that are known to have it
 */
public record Replicated<R>(R answer, int replicas) {

    public <T> Replicated<T> map(Function<R, T> mapping) {
        return new Replicated<>(mapping.apply(answer), replicas);
    }
}
