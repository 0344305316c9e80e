// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.payloads;

import io.delayqueue.codec.PayloadUpgrade;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration
class RenewalUpgrades {

    @Bean
    PayloadUpgrade renewalTo2() {
        return new PayloadUpgrade(RenewalNotice.class, 1, fields -> {
            if (fields.containsKey("email")) {
                fields.put("recipient", fields.remove("email"));
            }
            return fields;
        });
    }

    @Bean
    PayloadUpgrade renewalTo3() {
        return new PayloadUpgrade(RenewalNotice.class, 2, fields -> {
            String[] names = String.valueOf(fields.remove("name")).split(" ", 2);
            fields.put("givenName", names[0]);
            fields.put("familyName", names.length > 1 ? names[1] : "");
            return fields;
        });
    }
}
