/** How a sender and the agents on the nodes speak to each other: TCP, JSON, a shared token. */
@NullMarked
package org.madcast.agent.node;

import org.jspecify.annotations.NullMarked;
