/** The whole state as JSON lines: for backups, and to move to another database. */
@NullMarked
package org.madcast.allocator.state;

import org.jspecify.annotations.NullMarked;
