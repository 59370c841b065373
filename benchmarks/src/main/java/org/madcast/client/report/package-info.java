/** Benchmarks of what records calls. */
@NullMarked
package org.madcast.client.report;

import org.jspecify.annotations.NullMarked;
