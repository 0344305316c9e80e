// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import io.delayqueue.test.junit.DelayQueueServers;

@DelayQueueServers(redis = DelayQueueServers.Redis.NONE, database = DelayQueueServers.Database.POSTGRES)
class PostgresMigrationIntegrationTests extends ServerMigrationContract {

    @Override
    String platform() {
        return "postgresql";
    }
}
