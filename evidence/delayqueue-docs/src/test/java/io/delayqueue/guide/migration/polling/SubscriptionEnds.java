// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.migration.polling;

record SubscriptionEnds(String id) {}
