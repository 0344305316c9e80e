// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.test;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/** The part of an address before the {@code @}. */
record UserInfo(@Nullable String user, @Nullable String password) {

    static UserInfo of(URI uri) {
        String text = uri.getUserInfo();
        if (text == null) {
            return new UserInfo(null, null);
        }
        int colon = text.indexOf(':');
        if (colon < 0) {
            return new UserInfo(text, null);
        }
        return new UserInfo(colon == 0 ? null : text.substring(0, colon), text.substring(colon + 1));
    }
}
