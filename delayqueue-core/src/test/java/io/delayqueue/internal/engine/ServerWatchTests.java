// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.TaskStoreBusyException;
import io.delayqueue.TaskStoreException;
import io.delayqueue.internal.calls.BrokenCallException;
import io.delayqueue.internal.store.InterceptedStore;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ServerWatchTests {

    private static final long MILLIS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final List<Throwable> SAY_NOTHING = List.of(
            new TaskStoreBusyException("too many calls are under way", false, null),
            new BrokenCallException("failed in this process", false, new OutOfMemoryError()),
            new OutOfMemoryError());

    private final AtomicInteger told = new AtomicInteger();
    private final Runnable onAnswer = told::incrementAndGet;
    private final ServerWatch server = new ServerWatch(0);

    private ServerWatch.Call ask(long millis) {
        return server.ask(millis * MILLIS, onAnswer);
    }

    @Test
    void isSilentWhenNoAnswerComesInTheTimeThatOneTakesIsSoUntilOneComes() {
        ServerWatch.Call late = ask(100);

        assertThat(late.overdueAt()).isEqualTo(300 * MILLIS);
        assertThat(server.silentAt(100 * MILLIS)).isEqualTo(300 * MILLIS);
        assertThat(server.isSilent(299 * MILLIS)).isFalse();
        assertThat(server.isSilent(300 * MILLIS)).isTrue();

        late.answered(500 * MILLIS);
        assertThat(server.isSilent(10_000 * MILLIS)).isFalse();
    }

    @Test
    void isSilentWhenTheFirstCallWasMadeBeforeTheServerWasWatchedAndFailsIsSo() {
        server.begin(-MILLIS).failed(50 * MILLIS);

        assertThat(server.isSilent(50 * MILLIS)).isTrue();
    }

    @Test
    void isSilentWhenOthersAreAnsweredBesideACallThatHangsIsNotSo() {
        ServerWatch.Call hangs = ask(100);
        ask(290).answered(291 * MILLIS);

        assertThat(server.isSilent(310 * MILLIS)).isFalse();
        assertThat(hangs.overdueAt()).isEqualTo(300 * MILLIS);
        hangs.failed(315 * MILLIS);
        assertThat(server.isSilent(316 * MILLIS)).as("it answers others").isFalse();
    }

    @Test
    void askWhenTheServerIsSilentAllowsOneProbeAtATimeWithGrowingPauses() {
        ask(0).failed(2_000 * MILLIS);

        assertThat(ask(2_000)).as("at once").isNull();
        ServerWatch.Call probe = ask(2_050);
        assertThat(probe.isProbe()).isTrue();
        assertThat(probe.overdueAt()).as("nothing waits for it").isEqualTo(2_050 * MILLIS);
        assertThat(ask(3_000)).as("while it is under way").isNull();
        probe.failed(4_050 * MILLIS);

        assertThat(ask(4_149)).isNull();
        assertThat(ask(4_150)).isNotNull();
        assertThat(told).hasValue(0);
    }

    @Test
    void askWhenASilentServerHasAnsweredIsAllowedAndWhoWaitedIsToldOnce() {
        ask(0).failed(2_000 * MILLIS);
        assertThat(ask(2_000)).isNull();
        assertThat(ask(2_001)).isNull();

        ask(2_100).answered(2_101 * MILLIS);

        assertThat(told).hasValue(1);
        assertThat(ask(2_102).isProbe()).isFalse();
    }

    @Test
    void endedWhenTheCallNeverLeftThisProcessChangesNothingButThatThereMayBeAnotherProbe() {
        ask(0).failed(2_000 * MILLIS);
        assertThat(ask(2_001)).isNull();

        for (Throwable error : SAY_NOTHING) {
            ServerWatch.Call probe = ask(2_100);
            assertThat(probe.isProbe()).isTrue();
            ServerWatches.ended(probe, new CompletionException(error));
        }

        assertThat(server.isSilent(2_101 * MILLIS)).isTrue();
        assertThat(told).as("nobody has answered").hasValue(0);
    }

    @Test
    void endedWhenTheServerRefusesTheCallIsAnAnswer() {
        ask(0).failed(2_000 * MILLIS);
        assertThat(ask(2_001)).isNull();

        ServerWatches.ended(ask(2_100), new TaskStoreException("no rights", false, null));

        assertThat(server.isSilent(2_101 * MILLIS)).isFalse();
        assertThat(told).hasValue(1);
    }

    @Test
    void onNextAnswerWhenAnAnswerCameSinceTheCallHadFailedTellsAtOnce() {
        ServerWatch.Call failed = ask(0);
        failed.failed(2_000 * MILLIS);
        server.begin(2_001 * MILLIS).answered(2_002 * MILLIS);

        failed.onNextAnswer(onAnswer);

        assertThat(told).hasValue(1);
    }

    @Test
    void onNextAnswerWhenTheServerAnsweredOthersBesideTheCallTellsNothing() {
        ServerWatch.Call failed = ask(0);
        ask(1).answered(2 * MILLIS);
        failed.failed(2_000 * MILLIS);

        failed.onNextAnswer(onAnswer);
        ask(2_001).answered(2_002 * MILLIS);

        assertThat(told).hasValue(0);
    }

    @Test
    void forgetWhenTheServerAnswersAgainIsNotTold() {
        ask(0).failed(2_000 * MILLIS);
        assertThat(ask(2_000)).isNull();
        server.forget(onAnswer);

        server.begin(2_100 * MILLIS).answered(2_101 * MILLIS);

        assertThat(told).hasValue(0);
    }

    @Test
    void anySilentWhenTheShardsOfASilentServerAreElsewhereIsFalseAfterAWhile() {
        AtomicReference<String> node = new AtomicReference<>("old");
        TaskStore store = InterceptedStore.of((none, method, arguments) -> node.get());
        ServerWatches servers = new ServerWatches(store);
        Shard shard = new Shard("orders", 0);
        servers.of(shard).begin(System.nanoTime()).failed(System.nanoTime());
        assertThat(servers.anySilent(System.nanoTime())).isTrue();

        node.set("new");
        assertThat(servers.of(shard).isSilent(System.nanoTime())).isFalse();

        assertThat(servers.anySilent(System.nanoTime() + TimeUnit.MINUTES.toNanos(2)))
                .isFalse();
    }
}
