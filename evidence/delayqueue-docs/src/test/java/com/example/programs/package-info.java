// SPDX-License-Identifier: Apache-2.0
/** The programs of docs/guide/programs.md. */
package com.example.programs;
