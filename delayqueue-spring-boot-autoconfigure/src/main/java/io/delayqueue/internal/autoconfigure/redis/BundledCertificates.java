// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis;

import io.netty.handler.ssl.SslContextBuilder;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslManagerBundle;

/** Applies the current contents of an SSL bundle, which may be reloaded while the application runs. */
record BundledCertificates(Supplier<@Nullable SslBundle> bundle) implements Consumer<SslContextBuilder> {

    @Override
    public void accept(SslContextBuilder tls) {
        SslBundle current = bundle.get();
        if (current == null) {
            return;
        }
        SslManagerBundle managers = current.getManagers();
        tls.keyManager(managers.getKeyManagerFactory()).trustManager(managers.getTrustManagerFactory());
        String[] ciphers = current.getOptions().getCiphers();
        if (ciphers != null) {
            tls.ciphers(List.of(ciphers));
        }
        String[] protocols = current.getOptions().getEnabledProtocols();
        if (protocols != null) {
            tls.protocols(protocols);
        }
    }
}
