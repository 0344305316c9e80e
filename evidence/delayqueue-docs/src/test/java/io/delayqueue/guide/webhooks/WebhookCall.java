// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.webhooks;

record WebhookCall(String url, String body) {}
