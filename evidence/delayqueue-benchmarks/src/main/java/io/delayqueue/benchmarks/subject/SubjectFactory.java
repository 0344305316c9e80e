// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

import io.delayqueue.benchmarks.server.Place;

/**
 * Creates a subject that is not on the class path of the other subjects, because it needs another generation of Spring.
 * The JVM that measures it has a separate class path and finds the factory there as a service.
 */
public interface SubjectFactory {

    Subject open(String name, Place place, Need need);
}
