// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.migration.redisson;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import org.redisson.api.RScoredSortedSet;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.ByteArrayCodec;
import org.redisson.client.protocol.ScoredEntry;

class RedissonMover {

    private final RedissonClient redisson;
    private final DelayQueueOperations delayQueue;

    RedissonMover(RedissonClient redisson, DelayQueueOperations delayQueue) {
        this.redisson = redisson;
        this.delayQueue = delayQueue;
    }

    int move(String queue) {
        RScoredSortedSet<byte[]> waiting =
                redisson.getScoredSortedSet("redisson_delay_queue_timeout:{" + queue + "}", ByteArrayCodec.INSTANCE);
        int moved = 0;
        for (var page = waiting.entryRange(0, 499); !page.isEmpty(); page = waiting.entryRange(0, 499)) {
            delayQueue.scheduleAll(page.stream().map(this::request).toList()); // throws unless all are stored
            waiting.removeAll(page.stream().map(ScoredEntry::getValue).toList());
            moved += page.size();
        }
        redisson.getKeys().delete("redisson_delay_queue:{" + queue + "}"); // the same elements, as a list
        return moved;
    }

    private ScheduleRequest<CouponExpires> request(ScoredEntry<byte[]> entry) {
        String coupon = decode(entry.getValue());
        return ScheduleRequest.to("coupons", new CouponExpires(coupon))
                .id(coupon)
                .dueAt(Instant.ofEpochMilli(entry.getScore().longValue()))
                .onConflict(ConflictPolicy.KEEP)
                .build();
    }

    private String decode(byte[] element) { // a random id behind its length, then the value behind its length
        ByteBuffer bytes = ByteBuffer.wrap(element).order(ByteOrder.LITTLE_ENDIAN);
        bytes.position(1 + bytes.get(0));
        int length = (int) bytes.getLong();
        ByteBuf value = Unpooled.wrappedBuffer(element, bytes.position(), length);
        try {
            return (String) redisson.getConfig().getCodec().getValueDecoder().decode(value, null);
        } catch (IOException ex) {
            throw new IllegalStateException("An element of the old queue cannot be decoded", ex);
        }
    }
}
