/** How long chosen videos are, where their headers say, so that the server can refuse one that's too long before it's sent. */
export const knownSeconds = new WeakMap<File, number>();
