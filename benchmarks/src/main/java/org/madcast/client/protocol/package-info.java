/** Benchmarks of the engine and of its machines, in their package because they are not public. */
@NullMarked
package org.madcast.client.protocol;

import org.jspecify.annotations.NullMarked;
