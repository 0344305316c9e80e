// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.payloads;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.delayqueue.annotation.PayloadVersion;
import org.jspecify.annotations.Nullable;

@PayloadVersion(3)
record RenewalNotice(
        @JsonProperty(required = true) String recipient,
        @JsonProperty(required = true) String givenName,
        String familyName,
        @Nullable String coupon) {}
