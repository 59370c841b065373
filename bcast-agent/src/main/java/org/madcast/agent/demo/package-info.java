/** madcast demo: one file to eight ranks, and a table of what happened. */
@NullMarked
package org.madcast.agent.demo;

import org.jspecify.annotations.NullMarked;
