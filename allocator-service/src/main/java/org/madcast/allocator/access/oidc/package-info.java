/** People who sign in at an OpenID Connect provider, and the tokens that it issues. */
@NullMarked
package org.madcast.allocator.access.oidc;

import org.jspecify.annotations.NullMarked;
