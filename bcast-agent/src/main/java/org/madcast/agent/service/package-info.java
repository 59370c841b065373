/** The allocation service from outside: its process, its REST interface, leases by hand. */
@NullMarked
package org.madcast.agent.service;

import org.jspecify.annotations.NullMarked;
