// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.limits;

record PartnerCall(String partner, int number) {}
