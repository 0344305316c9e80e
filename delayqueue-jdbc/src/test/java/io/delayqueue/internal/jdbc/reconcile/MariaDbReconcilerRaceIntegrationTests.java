// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.reconcile;

import io.delayqueue.test.junit.DelayQueueServers;

@DelayQueueServers(redis = DelayQueueServers.Redis.NONE, database = DelayQueueServers.Database.MARIADB)
class MariaDbReconcilerRaceIntegrationTests extends ServerReconcilerRaceContract {}
