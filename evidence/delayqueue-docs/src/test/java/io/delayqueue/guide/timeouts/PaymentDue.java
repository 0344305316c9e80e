// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.timeouts;

record PaymentDue(String orderId) {}
