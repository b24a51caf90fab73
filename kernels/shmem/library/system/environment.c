/* SPDX-License-Identifier: Apache-2.0
 * A program on a core has no environment. */
static char* nothing[1];

char** environ = nothing;
