// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.junit;

/** The contract, kept with a real server. */
@DelayQueueServers(redis = DelayQueueServers.Redis.NONE, database = DelayQueueServers.Database.POSTGRES)
class SharedPostgresIntegrationTests extends SharedDatabaseContract {}
