// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

class H2MigrationIntegrationTests extends MigrationContract {

    @Override
    String platform() {
        return "h2";
    }

    @Override
    String[] database(String name) {
        return new String[] {"spring.datasource.generate-unique-name=true"};
    }
}
