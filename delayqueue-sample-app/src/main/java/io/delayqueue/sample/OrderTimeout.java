// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

/**
 * The payload of the delayed task that closes an order.
 *
 * @param orderId the order
 */
record OrderTimeout(String orderId) {}
