/** Tests of what starts and ends processes. */
@NullMarked
package org.madcast.agent.process;

import org.jspecify.annotations.NullMarked;
