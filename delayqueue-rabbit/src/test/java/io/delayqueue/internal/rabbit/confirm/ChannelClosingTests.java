// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.confirm;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChannelClosingTests {

    @ParameterizedTest
    @ValueSource(ints = {501, 502, 503, 505, 540, 541})
    void fatalityWhenTheConnectionWasClosedForWhatWasSentSaysWhatTheBrokerSays(int code) {
        assertThat(ChannelClosing.fatality(connectionClosed(code, false))).isEqualTo(code + " text");
        assertThat(ChannelClosing.fatality(new AlreadyClosedException(connectionClosed(code, false))))
                .isEqualTo(code + " text");
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 320, 402, 403, 504, 506, 530})
    void fatalityWhenTheConnectionWasClosedForAnotherReasonIsNull(int code) {
        assertThat(ChannelClosing.fatality(connectionClosed(code, false))).isNull();
    }

    @Test
    void fatalityWhenTheBrokerDidNotCloseTheConnectionIsNull() {
        Method channelClose = new AMQP.Channel.Close.Builder()
                .replyCode(541)
                .replyText("text")
                .build();
        assertThat(ChannelClosing.fatality(new ShutdownSignalException(false, false, channelClose, null)))
                .isNull();
        assertThat(ChannelClosing.fatality(connectionClosed(541, true))).isNull();
        assertThat(ChannelClosing.fatality(new ShutdownSignalException(true, false, null, null)))
                .isNull();
        assertThat(ChannelClosing.fatality(new IOException("Broken pipe"))).isNull();
        assertThat(ChannelClosing.fatality(null)).isNull();
    }

    private static ShutdownSignalException connectionClosed(int code, boolean byApplication) {
        Method close = new AMQP.Connection.Close.Builder()
                .replyCode(code)
                .replyText("text")
                .build();
        return new ShutdownSignalException(true, byApplication, close, null);
    }
}
