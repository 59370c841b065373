@NullMarked
package org.madcast.agent.push;

import org.jspecify.annotations.NullMarked;
