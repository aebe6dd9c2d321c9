/**
 * What code that's shared with pages expects of a page. The bundler puts these in place of the globals, which a service
 * worker doesn't have.
 */

/** Cookies that are set here reach nobody. */
export const document = Object.assign(new EventTarget(), { cookie: '', visibilityState: 'hidden' });

export const window = self;
