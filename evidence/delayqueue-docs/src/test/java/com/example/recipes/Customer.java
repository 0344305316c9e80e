// SPDX-License-Identifier: Apache-2.0
package com.example.recipes;

import java.time.ZoneId;

record Customer(String id, ZoneId zone) {}
