@NullMarked
package org.madcast.nativecalls;

import org.jspecify.annotations.NullMarked;
