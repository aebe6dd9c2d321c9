/** Returns a setup code as it's compared: without the spaces and hyphens that people read it with. */
export const plainSetupCode = (typed: string): string => typed.replace(/[\s\p{Pd}]/gu, '');

/** Few enough to type, and enough for ten tries an hour. */
export const MIN_SETUP_CODE = 8;
