/** The daemon of a node: takes part in pushes, says how it is. */
@NullMarked
package org.madcast.agent.daemon;

import org.jspecify.annotations.NullMarked;
