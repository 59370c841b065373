@NullMarked
package org.madcast.agent.daemon;

import org.jspecify.annotations.NullMarked;
