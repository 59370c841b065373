/** {@code madcast run}: the launcher of ranks, and where it puts them. */
@NullMarked
package org.madcast.agent.run;

import org.jspecify.annotations.NullMarked;
