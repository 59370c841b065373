/** Tests of the launcher of ranks. */
@NullMarked
package org.madcast.agent.run;

import org.jspecify.annotations.NullMarked;
