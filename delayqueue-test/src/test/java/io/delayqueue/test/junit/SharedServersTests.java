// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedServersTests {

    private final SharedServers servers = new SharedServers();

    @Test
    void closeWhenContextsFailClosesAllAndTellsAll() {
        List<String> closed = new ArrayList<>();
        List<AutoCloseable> contexts = List.of(
                () -> fail(closed, "one"),
                () -> closed.add("two"),
                () -> fail(closed, "three"),
                () -> closed.add("four"));
        contexts.forEach(servers::usedBy);

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(servers::close)
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
        assertThat(closed).containsExactlyInAnyOrder("one", "two", "three", "four");
        Reference.reachabilityFence(contexts);
    }

    @Test
    void usedByWhenAContextIsForgottenElsewhereDoesNotKeepIt() {
        WeakReference<AutoCloseable> context = new WeakReference<>(new Context());
        servers.usedBy(context.get());
        await().until(() -> {
            System.gc();
            return context.get() == null;
        });
    }

    private static void fail(List<String> closed, String name) throws IOException {
        closed.add(name);
        throw new IOException(name);
    }

    private static final class Context implements AutoCloseable {

        @Override
        public void close() {}
    }
}
