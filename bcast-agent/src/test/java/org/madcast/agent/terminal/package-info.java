/** Tests of what people read and write. */
@NullMarked
package org.madcast.agent.terminal;

import org.jspecify.annotations.NullMarked;
