/** Black-box tests of the command line. */
@NullMarked
package org.madcast.agent;

import org.jspecify.annotations.NullMarked;
