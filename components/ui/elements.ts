import type { ReactElement } from 'react';

/**
 * What React renders, except text. A browser that translates a page replaces its text, so text can't stand beside what
 * comes and goes: React would insert before a node that isn't there anymore.
 */
export type Elements = ReactElement | readonly Elements[] | false | null | undefined;
