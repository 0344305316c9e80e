// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.WakeSignals;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Wake signals within one JVM; none is lost. Listeners are called on the thread of the call that has news for them. */
public final class InMemoryWakeSignals implements WakeSignals {

    private final List<Listening> all = new CopyOnWriteArrayList<>();

    InMemoryWakeSignals() {}

    @Override
    public Registration listen(String queue, Listener listener) {
        Listening listening = new Listening(queue, listener);
        all.add(listening);
        return listening;
    }

    void wake(Shard shard) {
        tell(shard.queue(), listening -> listening.listener.wake(shard.index()));
    }

    void layoutChanged(String queue) {
        tell(queue, listening -> listening.listener.layoutChanged());
    }

    private void tell(String queue, Consumer<Listening> news) {
        all.stream().filter(listening -> listening.queue.equals(queue)).forEach(news);
    }

    private final class Listening implements Registration {

        private final String queue;
        private final Listener listener;

        Listening(String queue, Listener listener) {
            this.queue = queue;
            this.listener = listener;
        }

        @Override
        public boolean arrive() {
            return all.contains(this);
        }

        @Override
        public void callForHelp(int shard) {
            tell(queue, other -> {
                if (other != this) {
                    other.listener.help(shard);
                }
            });
        }

        @Override
        public void close() {
            all.remove(this);
        }
    }
}
