// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.migration.redisson;

record CouponExpires(String coupon) {}
