// SPDX-License-Identifier: Apache-2.0
package com.example.rabbit;

record Order(String id, String country) {}
