/** Options that several commands which measure, simulate or predict have in common. */
@NullMarked
package org.madcast.measure.options;

import org.jspecify.annotations.NullMarked;
