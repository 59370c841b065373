/** What shells and {@code man} know of the command line, made from its own description. */
@NullMarked
package org.madcast.agent.manual;

import org.jspecify.annotations.NullMarked;
