// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.limits;

record Booking(String account, String booking) {}
