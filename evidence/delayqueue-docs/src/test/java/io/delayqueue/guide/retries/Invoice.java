// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.retries;

record Invoice(String number) {}
