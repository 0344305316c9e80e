// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.shapes;

import org.springframework.data.repository.CrudRepository;

/** Public, because a filtered class loader creates its proxy. */
public interface CustomerRepository extends CrudRepository<Customer, Long> {}
