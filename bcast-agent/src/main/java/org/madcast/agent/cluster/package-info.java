/** Where ranks run: hosts of the lab, or this machine's loopback interface. */
@NullMarked
package org.madcast.agent.cluster;

import org.jspecify.annotations.NullMarked;
