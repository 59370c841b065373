@NullMarked
package org.madcast.agent.service;

import org.jspecify.annotations.NullMarked;
