/** {@code madcast topology}: what a tree of switches means for ranks on its hosts. */
@NullMarked
package org.madcast.agent.topology;

import org.jspecify.annotations.NullMarked;
