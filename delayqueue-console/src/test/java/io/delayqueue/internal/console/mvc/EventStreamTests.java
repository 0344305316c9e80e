// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.mvc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.internal.console.ConsoleAnswer.Events;
import io.delayqueue.internal.console.ConsoleAnswer.Steps;
import io.delayqueue.internal.console.OpenStreams;
import jakarta.servlet.ServletOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.converter.StringHttpMessageConverter;
import org.springframework.mock.web.DelegatingServletOutputStream;
import org.springframework.mock.web.MockAsyncContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.servlet.function.ServerResponse;

/** A browser that takes its time, or is gone, while the application stops. */
class EventStreamTests {

    private static final ServerResponse.Context CONTEXT =
            () -> List.<HttpMessageConverter<?>>of(new StringHttpMessageConverter());

    private final OpenStreams open = new OpenStreams();
    private final CountDownLatch writing = new CountDownLatch(1);
    private final CountDownLatch mayGoOn = new CountDownLatch(1);
    private final AtomicBoolean overlapped = new AtomicBoolean();
    private final MockHttpServletRequest request = new MockHttpServletRequest("GET", "/");

    @BeforeEach
    void open() {
        open.start();
        request.setAsyncSupported(true);
    }

    @AfterEach
    void letGo() {
        mayGoOn.countDown();
        open.stop();
    }

    private void listen(OutputStream browser) throws Exception {
        MockHttpServletResponse response = new MockHttpServletResponse() {

            @Override
            public ServletOutputStream getOutputStream() {
                return new DelegatingServletOutputStream(browser);
            }
        };
        Steps steps = () -> Map.of("queues", "changed");
        Events events = new Events(200, Map.of(), steps, Duration.ofMillis(10), Duration.ofMinutes(1));
        new EventStream(events, steps, open).response().writeTo(request, response, CONTEXT);
    }

    private boolean isComplete() {
        return request.getAsyncContext() != null
                && ((MockAsyncContext) request.getAsyncContext()).getDispatchedPath() != null;
    }

    @Test
    void stopWhenAnEventIsBeingWrittenCompletesTheAnswerWhenItIsWritten() throws Exception {
        listen(new OutputStream() {

            private boolean isWriting;

            @Override
            public void write(int one) throws IOException {
                write(new byte[] {(byte) one}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int from, int count) throws IOException {
                isWriting = true;
                writing.countDown();
                try {
                    mayGoOn.await();
                } catch (InterruptedException ex) {
                    throw new IOException(ex);
                }
                isWriting = false;
            }

            @Override
            public void flush() {
                overlapped.compareAndSet(false, isWriting);
            }
        });
        assertThat(writing.await(10, TimeUnit.SECONDS)).isTrue();

        open.stop();

        assertThat(overlapped).isFalse();
        assertThat(isComplete()).isFalse();
        mayGoOn.countDown();
        await().until(this::isComplete);
        assertThat(overlapped).isFalse();
    }

    @Test
    void stepWhenTheAnswerIsNotToBeUsedAnyMoreEndsTheRequest() throws Exception {
        listen(new OutputStream() {

            @Override
            public void write(int one) {
                throw new IllegalStateException("not to be used any more");
            }
        });

        await().until(this::isComplete);
        assertThat(open.count()).isZero();
    }
}
