// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.mutant;

import java.io.IOException;
import java.nio.file.Path;

/** A change to a file of the library. */
interface Mutation {

    /**
     * Writes the changed file where a class loader finds it.
     *
     * @param folder folder of a class path
     * @throws IllegalStateException if the library no longer contains the code to change
     */
    void writeTo(Path folder) throws IOException;
}
