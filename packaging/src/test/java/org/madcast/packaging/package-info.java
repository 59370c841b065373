/** Tests of what operators install: images, chart, units, hooks, and the reference they read. */
@NullMarked
package org.madcast.packaging;

import org.jspecify.annotations.NullMarked;
