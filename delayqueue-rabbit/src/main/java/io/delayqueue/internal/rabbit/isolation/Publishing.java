// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.isolation;

import io.delayqueue.internal.rabbit.confirm.AfterConfirms;
import io.delayqueue.internal.rabbit.confirm.ConfirmChannels;
import io.delayqueue.internal.rabbit.confirm.ConfirmCounts;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The state that all destinations of a publisher share.
 *
 * @param channels channels of the publisher's connection
 * @param trial channels of a second connection, for messages that may make the broker close it
 * @param turn lock for the use of the second connection
 * @param gates gates of the addresses that do not accept messages now
 * @param fatal messages that made the broker close the connection
 * @param confirms counts the broker's answers
 * @param after timer and threads for batches that no worker waits for
 */
public record Publishing(
        ConfirmChannels channels,
        ConfirmChannels trial,
        ReentrantLock turn,
        Gates gates,
        FatalMessages fatal,
        ConfirmCounts confirms,
        AfterConfirms after) {}
