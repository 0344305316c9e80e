// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.rqueue;

import io.delayqueue.benchmarks.server.Place;
import io.delayqueue.benchmarks.subject.Need;
import io.delayqueue.benchmarks.subject.Subject;
import io.delayqueue.benchmarks.subject.SubjectFactory;
import io.delayqueue.benchmarks.subject.Subjects;

/** Creates the Rqueue subject. {@code META-INF/services} names this class. */
public final class RqueueFactory implements SubjectFactory {

    @Override
    public Subject open(String name, Place place, Need need) {
        return new RqueueSubject(place, need, name.equals(Subjects.RQUEUE_TUNED));
    }
}
