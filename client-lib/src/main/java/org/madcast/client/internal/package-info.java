/** The composition root: the only package that sees all the others. Not exported. */
@NullMarked
package org.madcast.client.internal;

import org.jspecify.annotations.NullMarked;
