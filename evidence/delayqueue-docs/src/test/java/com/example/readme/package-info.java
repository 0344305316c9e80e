// SPDX-License-Identifier: Apache-2.0
/** The code of README.md. */
package com.example.readme;
