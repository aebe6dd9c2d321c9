/** What `vercel env pull` writes in place of a value that can't be read back. */
const PLACEHOLDER = '[SENSITIVE]';

/** Returns whether a value is only a placeholder for a secret that the host doesn't give out. */
export const isWithheld = (value: string | undefined): boolean => value === PLACEHOLDER;

/** What's wrong with such a value, as the rest of a sentence about its variable without its period. */
export const WITHHELD = `is “${PLACEHOLDER}”, because Vercel doesn’t give out the value of a secret. Set it yourself`;
