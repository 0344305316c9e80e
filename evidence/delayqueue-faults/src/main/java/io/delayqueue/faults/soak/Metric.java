// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.soak;

import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What must not grow. Of the applications it is that of the first one, which lives all the time. */
enum Metric {
    HEAP("heap after a full collection", true, 10, 2 << 20, ofFirst(Sample.OfProcess::liveHeap)),
    THREADS("threads", false, 5, 3, ofFirst(Sample.OfProcess::threads)),
    FILES("open files", false, 5, 5, ofFirst(Sample.OfProcess::files)),
    REDIS_MEMORY("memory of Redis", true, 10, 2 << 20, ofRedis(Sample.OfRedis::usedMemory)),
    KEYS("keys in Redis", false, 5, 20, ofRedis(Sample.OfRedis::keys)),
    TASKS("tasks that wait or are leased", false, 10, 200, ofRedis(Sample.OfRedis::live));

    private final String text;
    private final boolean bytes;
    private final int percent;
    private final long more;
    private final Function<Sample, @Nullable Long> value;

    Metric(String text, boolean bytes, int percent, long more, Function<Sample, @Nullable Long> value) {
        this.text = text;
        this.bytes = bytes;
        this.percent = percent;
        this.more = more;
        this.value = value;
    }

    private static Function<Sample, @Nullable Long> ofFirst(Function<Sample.OfProcess, @Nullable Long> value) {
        return sample -> {
            for (Sample.OfProcess process : sample.processes()) {
                if (process.place() == 0) {
                    return value.apply(process);
                }
            }
            return null;
        };
    }

    private static Function<Sample, @Nullable Long> ofRedis(Function<Sample.OfRedis, @Nullable Long> value) {
        return sample -> {
            Sample.OfRedis redis = sample.redis();
            return redis != null ? value.apply(redis) : null;
        };
    }

    /** Its value in a sample; null if that has none. */
    @Nullable
    Long of(Sample sample) {
        return value.apply(sample);
    }

    /** What a value that was this may be later. */
    long limit(long before) {
        return before + before * percent / 100 + more;
    }

    String text() {
        return text;
    }

    /** A value for people. */
    String show(long number) {
        return bytes ? String.format(Locale.ROOT, "%.1f MiB", number / 1048576.0) : String.valueOf(number);
    }

    /** By how much it may be higher, for people. */
    String allowance() {
        return percent + "% and " + show(more);
    }
}
