// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.migration.rabbit;

record OrderExpired(String orderId) {}
