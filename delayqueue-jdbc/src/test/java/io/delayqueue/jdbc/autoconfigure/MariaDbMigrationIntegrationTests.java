// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import io.delayqueue.test.junit.DelayQueueServers;

@DelayQueueServers(redis = DelayQueueServers.Redis.NONE, database = DelayQueueServers.Database.MARIADB)
class MariaDbMigrationIntegrationTests extends ServerMigrationContract {

    @Override
    String platform() {
        return "mysql";
    }
}
