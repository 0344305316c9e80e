// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

import io.delayqueue.benchmarks.server.Place;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.List;

/**
 * A limit, not a peer: like {@link BareRedisSubject}, but the connection gets both commands together and sends them
 * with one write.
 */
final class BarePipelineSubject extends BareRedisSubject {

    BarePipelineSubject(Place place) {
        super(place, Need.toKeep());
    }

    @Override
    public void scheduleAll(List<Task> tasks) {
        CommandArgs<String, String> payloads = new CommandArgs<>(StringCodec.UTF8).addKey(TASKS);
        CommandArgs<String, String> index = new CommandArgs<>(StringCodec.UTF8).addKey(INDEX);
        for (Task task : tasks) {
            payloads.add(task.id()).add(task.payload());
            index.add(task.dueAt()).add(task.id());
        }
        AsyncCommand<String, String, Long> stored = command(CommandType.HSET, payloads);
        AsyncCommand<String, String, Long> indexed = command(CommandType.ZADD, index);
        connection().dispatch(List.of(stored, indexed));
        if (!LettuceFutures.awaitAll(Duration.ofSeconds(30), stored, indexed)) {
            throw new IllegalStateException("Redis does not answer");
        }
    }

    private static AsyncCommand<String, String, Long> command(CommandType type, CommandArgs<String, String> args) {
        return new AsyncCommand<>(new Command<>(type, new IntegerOutput<>(StringCodec.UTF8), args));
    }
}
