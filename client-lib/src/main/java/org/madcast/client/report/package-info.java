/** Statistics out to the allocation service, off the critical path. */
@NullMarked
package org.madcast.client.report;

import org.jspecify.annotations.NullMarked;
