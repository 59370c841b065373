/** System tests: the packaged program as a process, with real networks and a real service. */
@NullMarked
package org.madcast.agent.system;

import org.jspecify.annotations.NullMarked;
