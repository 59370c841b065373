/** Trees of switches: read from files, and the order of ranks that uses no cable twice. */
@NullMarked
package org.madcast.client.topology;

import org.jspecify.annotations.NullMarked;
