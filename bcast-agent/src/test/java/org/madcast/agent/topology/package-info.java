/** The plans of madcast topology. */
@NullMarked
package org.madcast.agent.topology;

import org.jspecify.annotations.NullMarked;
