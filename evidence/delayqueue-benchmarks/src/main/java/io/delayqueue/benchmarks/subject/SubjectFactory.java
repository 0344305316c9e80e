// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

import io.delayqueue.benchmarks.server.Place;

/**
 * Makes a subject that is not on the class path of the others, because it needs another generation of Spring. The JVM
 * that measures it has its own class path, on which this is found as a service.
 */
public interface SubjectFactory {

    Subject open(String name, Place place, Need need);
}
