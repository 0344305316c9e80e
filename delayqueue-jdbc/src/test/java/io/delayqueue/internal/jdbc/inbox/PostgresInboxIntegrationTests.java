// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.inbox;

import io.delayqueue.test.junit.DelayQueueServers;

@DelayQueueServers(redis = DelayQueueServers.Redis.NONE, database = DelayQueueServers.Database.POSTGRES)
class PostgresInboxIntegrationTests extends ServerInboxContract {}
