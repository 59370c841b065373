/** The messages and options of RFC 2730 and RFC 2907 as immutable values. */
@NullMarked
package org.madcast.madcap;

import org.jspecify.annotations.NullMarked;
