// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A snapshot of a stored task with its payload.
 *
 * @param <T> payload type
 */
public interface FoundTask<T> extends ListedTask {

    /** Returns its headers, including those that the library and a tracer have added. */
    Map<String, String> headers();

    /** Returns its payload, decoded to the requested type. */
    T payload();

    /** Returns the process that holds its lease, as {@code <pid>@<host>}; empty if there is none or it is unknown. */
    Optional<String> holder();

    /**
     * Returns up to five of the most recent attempts that failed or lost their lease, newest last. A redrive keeps
     * them, but resets the counts.
     */
    List<FailedAttempt> failedAttempts();

    /**
     * Returns the stack trace of its last failure; empty if the queue keeps none. The messages of its exceptions may
     * contain data from the payload.
     */
    Optional<String> stackTrace();
}
