// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

class ChosenDataSourceTests {

    private final DataSource shop = new DriverManagerDataSource("jdbc:h2:mem:shop");
    private final DataSource archive = new DriverManagerDataSource("jdbc:h2:mem:archive");
    private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

    @Test
    void transactionsWhenThereAreManagersOfSeveralAreThoseOfTheChosenOne() {
        PlatformTransactionManager ofShop = new JdbcTransactionManager(shop);
        PlatformTransactionManager ofArchive = new JdbcTransactionManager(archive);
        beans.registerSingleton("ofShop", ofShop);
        beans.registerSingleton("ofArchive", ofArchive);

        assertThat(transactions(archive)).isSameAs(ofArchive);
        assertThat(transactions(new TransactionAwareDataSourceProxy(archive))).isSameAs(ofArchive);
        assertThat(transactions(shop)).isSameAs(ofShop);
    }

    @Test
    void transactionsWhenTheOnlyManagerIsAnothersAreNew() {
        PlatformTransactionManager ofShop = new JdbcTransactionManager(shop);
        beans.registerSingleton("ofShop", ofShop);

        assertThat(transactions(archive))
                .isInstanceOfSatisfying(
                        DataSourceTransactionManager.class,
                        made -> assertThat(made.getDataSource()).isSameAs(archive));
    }

    private PlatformTransactionManager transactions(DataSource chosen) {
        return new ChosenDataSource(chosen).transactions(beans.getBeanProvider(PlatformTransactionManager.class));
    }
}
