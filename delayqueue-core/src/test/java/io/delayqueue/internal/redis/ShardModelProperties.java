// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.internal.store.Settlement;
import java.util.List;
import java.util.function.Supplier;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** Random steps on five ids. Run by {@link ModelRun}, which sets the number of sequences and fails when none ran. */
public abstract class ShardModelProperties {

    private final int endedBefore = ModelRun.ended();
    private final Supplier<ContractStore> kept;

    /** @param kept gives each sequence what it clears and uses */
    protected ShardModelProperties(Supplier<ContractStore> kept) {
        this.kept = kept;
    }

    @Property
    void shardWhenDrivenAtRandomDoesWhatTheModelDoes(@ForAll("sequences") List<Step> steps) {
        ModelRun.sequence(endedBefore, steps.size(), () -> {
            ShardModelDriver driver = new ShardModelDriver(kept.get());
            steps.forEach(driver::run);
        });
    }

    @Provide
    Arbitrary<List<Step>> sequences() {
        Arbitrary<Integer> ids = Arbitraries.integers().between(0, 4);
        Arbitrary<Integer> minutes = Arbitraries.integers().between(-20, 40);
        Arbitrary<Integer> delays = Arbitraries.integers().between(0, 20);
        Arbitrary<Boolean> flags = Arbitraries.of(false, true);
        Arbitrary<Boolean> seldom = Arbitraries.frequency(Tuple.of(9, false), Tuple.of(1, true));
        Arbitrary<Integer> picks = Arbitraries.integers().between(0, 11);

        Arbitrary<Integer> expiresAfter =
                Arbitraries.frequency(Tuple.of(4, 0), Tuple.of(1, 3), Tuple.of(1, 12), Tuple.of(1, 30));
        Arbitrary<Step.Task> tasks = Combinators.combine(
                        ids,
                        Arbitraries.integers().between(0, 5),
                        flags,
                        minutes,
                        Arbitraries.of(ConflictPolicy.class),
                        expiresAfter)
                .as((id, request, relative, minute, policy, expires) -> new Step.Task(
                        id, id * 100 + request, relative, relative ? Math.max(0, minute) : minute, policy, expires));
        Arbitrary<Step> schedule = tasks.list().ofMinSize(1).ofMaxSize(4).map(Step.Schedule::new);
        Arbitrary<Step> acquire = Combinators.combine(
                        Arbitraries.integers().between(1, 6),
                        Arbitraries.integers().between(1, 15),
                        Arbitraries.of(0, 1, 500, 500, 500),
                        expiresAfter,
                        flags)
                .as(Step.Acquire::new);
        Arbitrary<Step.End> ends = Combinators.combine(
                        picks, seldom, Arbitraries.of(Settlement.Verb.class), delays, flags, flags)
                .as(Step.End::new);
        Arbitrary<Step> settle = ends.list().ofMinSize(1).ofMaxSize(3).map(Step.Settle::new);
        Arbitrary<Step> reschedule = Combinators.combine(ids, flags, minutes)
                .as((id, relative, minute) ->
                        new Step.Reschedule(id, relative, relative ? Math.max(0, minute) : minute));

        Arbitrary<Step> renew = Combinators.combine(picks.list().ofMinSize(1).ofMaxSize(3), seldom, delays)
                .as(Step.Renew::new);
        Arbitrary<List<Integer>> someIds = ids.list().ofMinSize(1).ofMaxSize(4).uniqueElements();
        Arbitrary<Step> redrive =
                Combinators.combine(someIds, minutes.list().ofSize(4)).as(Step.Redrive::new);
        Arbitrary<Step> trim = Arbitraries.integers().between(0, 20).map(Step.Trim::new);

        Arbitrary<Integer> sizes = Arbitraries.of(1, 2, 500);

        return Arbitraries.frequencyOf(
                        Tuple.of(8, schedule),
                        Tuple.of(10, acquire),
                        Tuple.of(9, settle),
                        Tuple.of(3, renew),
                        Tuple.of(2, Arbitraries.integers().between(1, 4).map(Step.DeadPages::new)),
                        Tuple.of(4, redrive),
                        Tuple.of(1, someIds.map(Step.Discard::new)),
                        Tuple.of(2, Combinators.combine(someIds, flags).as(Step.Migrate::new)),
                        Tuple.of(1, trim),
                        Tuple.of(1, Arbitraries.just(new Step.Pause())),
                        Tuple.of(2, Arbitraries.just(new Step.Resume())),
                        Tuple.of(1, Arbitraries.integers().between(1, 4).map(Step.Purge::new)),
                        Tuple.of(2, ids.map(Step.Cancel::new)),
                        Tuple.of(3, reschedule),
                        Tuple.of(2, Combinators.combine(ids, delays).as(Step.Update::new)),
                        Tuple.of(1, sizes.map(Step.LivePages::new)),
                        Tuple.of(1, Arbitraries.just(new Step.CancelGroup())),
                        Tuple.of(2, Combinators.combine(flags, minutes).as(Step.PutOffGroup::new)),
                        Tuple.of(1, Arbitraries.just(new Step.GroupPages())),
                        Tuple.of(2, ids.map(Step.Find::new)),
                        Tuple.of(1, Arbitraries.just(new Step.Stats())),
                        Tuple.of(6, delays.map(Step.MoveClock::new)),
                        Tuple.of(1, delays.map(back -> new Step.MoveClock(-back))),
                        Tuple.of(1, Arbitraries.just(new Step.Crash())),
                        Tuple.of(1, Arbitraries.just(new Step.ForgetScripts())))
                .list()
                .ofMinSize(1)
                .ofMaxSize(40);
    }
}
