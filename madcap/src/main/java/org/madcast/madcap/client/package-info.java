/** The client side: one exchange with one or more servers, as a state machine over time. */
@NullMarked
package org.madcast.madcap.client;

import org.jspecify.annotations.NullMarked;
