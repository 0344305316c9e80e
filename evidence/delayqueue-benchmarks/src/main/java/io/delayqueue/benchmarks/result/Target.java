// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import io.delayqueue.benchmarks.subject.Subjects;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What this library must reach: a value, or a ratio to a value measured in the same sitting, or the difference from one.
 *
 * @param workload where
 * @param subject this library, or one that shows what a part of it costs
 * @param metric of that subject
 * @param atLeast whether the bound is a lower one
 * @param bound of the value, the ratio or the difference; NaN where that is only shown
 * @param peer whose value to compare with, or null for this library's value itself
 * @param peerMetric which of the peer's values
 * @param difference whether the peer's value is subtracted instead of divided by
 */
record Target(
        String workload,
        String subject,
        String metric,
        boolean atLeast,
        double bound,
        @Nullable String peer,
        String peerMetric,
        boolean difference) {

    static Target atMost(String workload, String metric, double bound) {
        return new Target(workload, Subjects.DELAYQUEUE, metric, false, bound, null, "", false);
    }

    static Target atLeastValue(String workload, String metric, double bound) {
        return new Target(workload, Subjects.DELAYQUEUE, metric, true, bound, null, "", false);
    }

    static Target atLeast(String workload, String metric, double ratio, String peer) {
        return new Target(workload, Subjects.DELAYQUEUE, metric, true, ratio, peer, metric, false);
    }

    static Target noMoreThan(String workload, String metric, double ratio, String peer) {
        return new Target(workload, Subjects.DELAYQUEUE, metric, false, ratio, peer, metric, false);
    }

    static Target atMostAbove(String workload, String metric, double above, String peer) {
        return new Target(workload, Subjects.DELAYQUEUE, metric, false, above, peer, metric, true);
    }

    static Target atLeastOfOwn(String workload, String metric, double ratio, String base) {
        return new Target(workload, Subjects.DELAYQUEUE, metric, true, ratio, Subjects.DELAYQUEUE, base, false);
    }

    static Target atMostOfOwn(String workload, String metric, double ratio, String base) {
        return new Target(workload, Subjects.DELAYQUEUE, metric, false, ratio, Subjects.DELAYQUEUE, base, false);
    }

    /** No target: a ratio that is shown among them, since it says how to read one. */
    static Target shownOfOwn(String workload, String metric, String base) {
        return atMostOfOwn(workload, metric, Double.NaN, base);
    }

    /** The same of another subject. */
    Target of(String other) {
        return new Target(workload, other, metric, atLeast, bound, peer, peerMetric, difference);
    }

    /** The metric, and whose it is where that is not this library's as it comes. */
    String what() {
        return subject.equals(Subjects.DELAYQUEUE) ? metric : metric + ", " + subject;
    }

    /** The same for values that were measured with persistence. */
    Target with(String suffix) {
        return new Target(
                workload,
                subject,
                metric + suffix,
                atLeast,
                bound,
                peer,
                peer == null ? "" : peerMetric + suffix,
                difference);
    }

    /** By the runs of one variant; null if this was not to be measured. */
    @Nullable
    Verdict judge(Results results) {
        if (!tookPart(results) || isOfAnotherSize(results)) {
            return null;
        }
        Summary own = Summary.ofAny(results.values(workload, subject, metric));
        if (peer == null) {
            return new Verdict(this, own, null, own);
        }
        Pairs pairs =
                new Pairs(results.measured(workload, subject, metric), results.measured(workload, peer, peerMetric));
        return new Verdict(
                this,
                own,
                Summary.ofAny(results.values(workload, peer, peerMetric)),
                Summary.ofAny(difference ? pairs.differences() : pairs.ratios()));
    }

    private boolean tookPart(Results results) {
        Set<String> subjects = results.subjects(workload);
        return subjects.contains(subject) && (peer == null || subjects.contains(peer));
    }

    /**
     * Whether something was measured, but not this. Of a subject that failed altogether the peer tells; where that does
     * not either, a target is judged rather than forgotten.
     */
    private boolean isOfAnotherSize(Results results) {
        Set<String> measured = results.metrics(workload, subject);
        String name = metric;
        if (measured.isEmpty() && peer != null) {
            measured = results.metrics(workload, peer);
            name = peerMetric;
        }
        return !measured.isEmpty() && !measured.contains(name);
    }

    boolean isOnlyShown() {
        return Double.isNaN(bound);
    }

    boolean allows(double value) {
        return atLeast ? value >= bound : value <= bound;
    }

    @Override
    public String toString() {
        String bounded = isOnlyShown() ? "none," : (atLeast ? ">= " : "<= ") + Numbers.text(bound);
        if (peer == null) {
            return bounded;
        }
        if (difference) {
            return (atLeast ? ">= " : "<= ") + peer + " + " + Numbers.text(bound);
        }
        String whose = peer.equals(Subjects.DELAYQUEUE) ? "its own " + peerMetric : peer;
        return String.format(Locale.ROOT, "%s x %s", bounded, whose);
    }
}
