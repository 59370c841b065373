/** Profiles of ranks: where their time went, as text and as pictures. */
@NullMarked
package org.madcast.agent.profile;

import org.jspecify.annotations.NullMarked;
