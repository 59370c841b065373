/** Communicators: a job's ranks meet here, share one lease and keep it alive together. */
@NullMarked
package org.madcast.allocator.communicator;

import org.jspecify.annotations.NullMarked;
