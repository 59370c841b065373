/**
 * {@code madcast reproduce}: the figures of the papers, published numbers beside those found here.
 */
@NullMarked
package org.madcast.measure.reproduce;

import org.jspecify.annotations.NullMarked;
