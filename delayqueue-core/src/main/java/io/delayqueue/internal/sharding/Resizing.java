// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.admin.QueueLayoutInfo;
import io.delayqueue.admin.ResizeException;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.store.LayoutRecord;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Changes the number of shards of a queue, one change at a time. */
public final class Resizing {

    private static final Logger log = LoggerFactory.getLogger(Resizing.class);

    private final TaskStore store;
    private final QueueLayouts layouts;

    public Resizing(TaskStore store, QueueLayouts layouts) {
        this.store = store;
        this.layouts = layouts;
    }

    /** The layout in force, as recorded now. */
    public QueueLayoutInfo layout(String queue) {
        return info(answer(queue, layouts.refresh(queue)));
    }

    /**
     * An operator's change.
     *
     * @throws ResizeException if the number is out of range, or another change is under way and this one does not turn it
     *     back
     */
    public QueueLayoutInfo resize(String queue, int shards) {
        return change(queue, shards, layout -> layout.shards() != shards, QueueLayout::configured);
    }

    /**
     * What a process asks for that is configured with this number: a change where the last such change had another one.
     * Else the record wins, which an operator may have changed.
     *
     * @throws ResizeException as {@link #resize}
     */
    public QueueLayoutInfo configure(String queue, int shards) {
        return change(queue, shards, layout -> layout.configured() != shards, layout -> shards);
    }

    private QueueLayoutInfo change(
            String queue, int shards, Predicate<QueueLayout> isNeeded, ToIntFunction<QueueLayout> configured) {
        if (shards < 1 || shards > QueueLayout.MOST_SHARDS) {
            throw new ResizeException("Queue '" + queue + "' cannot be spread over " + shards + " shards; 1 to "
                    + QueueLayout.MOST_SHARDS + " are possible");
        }
        QueueLayout layout = answer(queue, layouts.refresh(queue));
        // A change must not begin at a layout that a failover has brought back.
        if (answer(queue, layouts.newestSeen(queue, layout.span())).epoch() > layout.epoch()) {
            layout = answer(queue, layouts.refresh(queue));
        }
        while (isNeeded.test(layout)) {
            if (!layout.canBecome(shards)) {
                throw new ResizeException("Queue '" + queue + "' was not resized to " + shards
                        + " shards: its tasks still migrate from " + layout.earlier() + " to " + layout.shards()
                        + " shards. Try again when they are in their shards, for which a process that scans the queue has"
                        + " to run; or resize the queue to " + layout.earlier() + " to turn the change back");
            }
            QueueLayout next = layout.resizedTo(shards, configured.applyAsInt(layout));
            alignPauses(queue, layout, next);
            LayoutRecord answer =
                    answer(queue, store.layouts().putLayout(queue, layout.epoch(), layout.epoch(), next.change()));
            if (answer.recorded()) {
                // Somebody may have paused or resumed the queue meanwhile, in the shards that it had.
                alignPauses(queue, layout, next);
                log.info("Queue '{}': resized from {} to {} shard(s)", queue, layout.shards(), shards);
            }
            layout = answer.text().isEmpty()
                    ? answer(queue, layouts.refresh(queue))
                    : layouts.adopt(queue, QueueLayout.parse(queue, answer.text()));
        }
        return info(layout);
    }

    /**
     * Shards that begin to be used are paused if the queue is, and not if it is not: one may be left over from earlier.
     */
    private void alignPauses(String queue, QueueLayout before, QueueLayout after) {
        boolean paused = false;
        for (int shard = 0; shard < before.span() && !paused; shard++) {
            paused =
                    answer(queue, store.shards().stats(new Shard(queue, shard))).paused();
        }
        for (int shard = before.span(); shard < after.span(); shard++) {
            answer(
                    queue,
                    paused
                            ? store.shards().pause(new Shard(queue, shard))
                            : store.shards().resume(new Shard(queue, shard)));
        }
    }

    private <T> T answer(String queue, CompletableFuture<T> call) {
        return new BoundedWait(store.callTimeout()).answer(call, "Queue '" + queue + "', its number of shards");
    }

    private static QueueLayoutInfo info(QueueLayout layout) {
        return new QueueLayoutInfo(
                layout.shards(),
                layout.configured(),
                layout.isMigrating() ? OptionalInt.of(layout.earlier()) : OptionalInt.empty());
    }
}
