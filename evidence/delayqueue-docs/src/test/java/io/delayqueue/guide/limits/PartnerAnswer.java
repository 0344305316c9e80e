// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.limits;

import java.time.Duration;

record PartnerAnswer(int status, Duration retryAfter) {}
