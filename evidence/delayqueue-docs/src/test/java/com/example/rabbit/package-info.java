// SPDX-License-Identifier: Apache-2.0
/** The code of docs/rabbitmq.md. */
package com.example.rabbit;
