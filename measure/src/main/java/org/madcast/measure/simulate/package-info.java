/** {@code madcast simulate}: what {@code madcast bench} prints, of a network that need not be. */
@NullMarked
package org.madcast.measure.simulate;

import org.jspecify.annotations.NullMarked;
