// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

/**
 * What all destinations of one publisher share.
 *
 * @param broker the connection
 * @param channels of the connection
 * @param silent the addresses from which no confirm came
 * @param refusing the addresses whose messages are nacked
 * @param trial the connection for messages over which the broker may close it
 * @param fatal the messages over which it did
 * @param confirms counts what the broker says
 * @param after runs what follows confirms
 */
record PublisherConnection(
        BrokerConnection broker,
        ConfirmChannels channels,
        SilentAddresses silent,
        RefusingAddresses refusing,
        TrialConnection trial,
        FatalMessages fatal,
        ConfirmCounts confirms,
        AfterConfirms after) {}
