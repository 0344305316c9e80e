// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.calls;

import java.util.function.Function;

/**
 * The store's reply to a call that requires replicas.
 *
 * @param answer the result
 * @param replicas number of replicas known to have the change
 */
public record Replicated<R>(R answer, int replicas) {

    public <T> Replicated<T> map(Function<R, T> mapping) {
        return new Replicated<>(mapping.apply(answer), replicas);
    }
}
