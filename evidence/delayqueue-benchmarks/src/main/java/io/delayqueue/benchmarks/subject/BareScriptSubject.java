// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

import io.delayqueue.benchmarks.server.Place;
import io.lettuce.core.ScriptOutputType;
import java.util.ArrayList;
import java.util.List;

/**
 * A limit, not a peer: the shortest script that checks whether a task with the id exists, stores the new task, and
 * reads which task is due first. A shorter script could not replace or keep a task, or notify a waiting process of an
 * earlier due time.
 */
final class BareScriptSubject extends BareRedisSubject {

    private static final String SCHEDULE = """
            local ids, score, put = {}, {}, {}
            for i = 1, #ARGV, 3 do
              local id = ARGV[i]
              ids[#ids + 1] = id
              score[#score + 1], score[#score + 2] = ARGV[i + 1], id
              put[#put + 1], put[#put + 2] = id, ARGV[i + 2]
            end
            local stored = redis.call('HMGET', KEYS[2], unpack(ids))
            redis.call('ZADD', KEYS[1], unpack(score))
            redis.call('HSET', KEYS[2], unpack(put))
            local first = redis.call('ZRANGE', KEYS[1], '0', '0')[1]
            local reply = {}
            for i = 1, #ids do reply[i] = (stored[i] and 'R' or 'C') .. (ids[i] == first and '1' or '0') end
            return reply
            """;

    private final String sha;

    BareScriptSubject(Place place) {
        super(place, Need.toKeep());
        this.sha = connection().sync().scriptLoad(SCHEDULE);
    }

    @Override
    public void scheduleAll(List<Task> tasks) {
        List<String> args = new ArrayList<>(3 * tasks.size());
        for (Task task : tasks) {
            args.add(task.id());
            args.add(Long.toString(task.dueAt()));
            args.add(task.payload());
        }
        List<String> reply =
                connection().sync().evalsha(sha, ScriptOutputType.MULTI, KEYS, args.toArray(String[]::new));
        if (reply.size() != tasks.size()) {
            throw new IllegalStateException("Redis did not answer for each task");
        }
    }
}
