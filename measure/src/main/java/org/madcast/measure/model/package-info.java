/** {@code madcast model}: what formulas say that broadcasts and collective operations take. */
@NullMarked
package org.madcast.measure.model;

import org.jspecify.annotations.NullMarked;
