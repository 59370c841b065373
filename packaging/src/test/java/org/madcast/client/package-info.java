/** What only the client library's own package sees, for the reference. */
@NullMarked
package org.madcast.client;

import org.jspecify.annotations.NullMarked;
