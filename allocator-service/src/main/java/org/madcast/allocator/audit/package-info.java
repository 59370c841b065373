/** What was done, by whom and from where: kept for a year, readable, and sent to webhooks. */
@NullMarked
package org.madcast.allocator.audit;

import org.jspecify.annotations.NullMarked;
