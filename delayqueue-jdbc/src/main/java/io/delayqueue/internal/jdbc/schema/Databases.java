// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.schema;

import java.sql.DatabaseMetaData;
import javax.sql.DataSource;
import org.springframework.boot.jdbc.DatabaseDriver;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.jdbc.support.MetaDataAccessException;

/** Which database a DataSource is one of. */
public final class Databases {

    private Databases() {}

    /** @throws org.springframework.dao.DataAccessException if the database cannot be reached */
    public static DatabaseDriver of(DataSource dataSource) {
        try {
            String product = JdbcUtils.extractDatabaseMetaData(dataSource, DatabaseMetaData::getDatabaseProductName);
            return DatabaseDriver.fromProductName(JdbcUtils.commonDatabaseName(product));
        } catch (MetaDataAccessException ex) {
            throw new DataAccessResourceFailureException(
                    "The DataSource does not tell which database it is one of", ex);
        }
    }
}
