@NullMarked
package org.madcast.agent.node;

import org.jspecify.annotations.NullMarked;
