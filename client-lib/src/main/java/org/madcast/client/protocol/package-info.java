/** Engines: state machines over time and bytes. No socket, thread, lock or clock. */
@NullMarked
package org.madcast.client.protocol;

import org.jspecify.annotations.NullMarked;
