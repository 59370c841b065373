/** Processes that a command starts, and the promise that none of them outlives it. */
@NullMarked
package org.madcast.agent.process;

import org.jspecify.annotations.NullMarked;
