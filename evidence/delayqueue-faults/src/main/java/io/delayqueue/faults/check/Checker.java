// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import io.delayqueue.faults.check.NothingLost.Fate;
import io.delayqueue.faults.history.Entry;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Decides from the data of a run whether the library kept its guarantees. If the histories are ambiguous, decides in
 * favour of the library. If no order of the calls can explain the histories, a guarantee was broken. Thread-safe.
 */
public final class Checker {

    private final CheckSettings settings;
    private final List<TaskRule> rules;

    public Checker(CheckSettings settings) {
        this.settings = settings;
        this.rules = List.of(
                new DeliveredAsAsked(settings),
                new DeliveredInTime(settings),
                new EndedByCaller(settings),
                new OneVersionLives(settings),
                new LastCommitWins(settings),
                new LeasesEndOnce(settings),
                new TokensGrow(settings),
                new NothingLeft(settings),
                new SilenceCounts(settings),
                new NeighboursGoOn(settings));
    }

    /**
     * Judges a run.
     *
     * @param histories histories of all processes, as {@link io.delayqueue.faults.history.Histories#read} returns them
     * @param end the remaining data
     */
    public Verdict check(List<Entry> histories, FinalState end) {
        Run run = Run.of(histories, end);
        List<Finding> findings = new ArrayList<>();
        Map<Fate, Integer> fates = new EnumMap<>(Fate.class);
        int explained = 0;
        int unknown = 0;
        int exempt = 0;
        LastCommitWins commits = new LastCommitWins(settings);
        AnsweredInTime inTime = new AnsweredInTime(settings, histories);
        for (TaskHistory task : run.tasks()) {
            findings.addAll(inTime.judge(task));
            rules.forEach(rule -> findings.addAll(rule.judge(task)));
            explained += new DeliveredOnce(settings).judge(task, findings);
            unknown += fates(task, fates, findings);
            exempt += commits.isExempt(task) ? 1 : 0;
        }
        end.others().forEach(key -> findings.add(new Finding(Rule.LEFT_OVER, "", "", key, List.of())));
        Punctuality punctuality = new Punctuality(settings, run);
        findings.addAll(punctuality.judge());
        findings.addAll(new WithinLimits(settings).judge(run));
        return new Verdict(
                settings.cell(),
                fates.values().stream().mapToInt(Integer::intValue).sum(),
                unknown,
                fates.getOrDefault(Fate.DELIVERED, 0),
                fates.getOrDefault(Fate.DEAD, 0),
                fates.getOrDefault(Fate.ENDED, 0),
                count(findings, Rule.LOST),
                fates.getOrDefault(Fate.LOSS_ALLOWED, 0),
                explained,
                count(findings, Rule.DUPLICATE),
                count(findings, Rule.EARLY),
                exempt,
                punctuality.all(),
                punctuality.afterwards(),
                punctuality.recovery(),
                List.copyOf(findings));
    }

    /**
     * Counts the fates of the versions that were certainly stored, and returns the number of versions whose storing is
     * uncertain.
     */
    private int fates(TaskHistory task, Map<Fate, Integer> fates, List<Finding> findings) {
        NothingLost loss = new NothingLost(settings);
        int unknown = 0;
        for (String version : task.versions()) {
            if (task.storing(version).stream().noneMatch(Op::stored)) {
                unknown++;
                continue;
            }
            Fate fate = loss.fateOf(task, version);
            fates.merge(fate, 1, Integer::sum);
            if (fate == Fate.LOST) {
                findings.add(task.finding(
                        Rule.LOST, "version " + version + " was stored and never seen again", task.ops, task.leases));
            }
        }
        for (Op op : task.ops) {
            if (loss.isLostByReschedule(task, op)) {
                findings.add(task.finding(
                        Rule.LOST, "was rescheduled and not delivered at its new time", task.ops, task.leases));
            }
        }
        return unknown;
    }

    private static int count(List<Finding> findings, Rule rule) {
        return (int) findings.stream().filter(finding -> finding.rule() == rule).count();
    }
}
