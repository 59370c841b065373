/** {@code madcast push}: the sender's side of the distribution of files. */
@NullMarked
package org.madcast.agent.push;

import org.jspecify.annotations.NullMarked;
