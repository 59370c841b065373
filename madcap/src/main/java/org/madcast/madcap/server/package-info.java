/**
 * What a server does with a message before it looks at its leases: answer, refuse or keep silent.
 */
@NullMarked
package org.madcast.madcap.server;

import org.jspecify.annotations.NullMarked;
