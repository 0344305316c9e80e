// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.sagas;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.GroupResult;
import java.time.Duration;
import org.springframework.stereotype.Component;

@Component
class TripDesk {

    private final DelayQueueOperations delayQueue;

    TripDesk(DelayQueueOperations delayQueue) {
        this.delayQueue = delayQueue;
    }

    GroupResult giveMoreTime(String trip) {
        return delayQueue.group("sagas", "trip:" + trip).shift(Duration.ofHours(1));
    }

    GroupResult stopAllTimers(String trip) {
        return delayQueue.group("sagas", "trip:" + trip).cancel();
    }
}
