// SPDX-License-Identifier: Apache-2.0
package com.example.readme;

record Order(String id, String country) {}
