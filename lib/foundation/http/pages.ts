/** Pages that anyone can read, signed in or not, and which search engines may list. `/` is one of them, too. */
export const READING_PAGES = ['/privacy', '/terms', '/notices'] as const;

const PUBLIC_PAGES =
  /^\/(notices|privacy|terms|offline|login|login\/code|logout|setup|signup|reset_password|verify_email|reset\/[^/]+\/[^/]+|verify_email\/[^/]+\/[^/]+|change_email\/[^/]+\/[^/]+|security_notice\/[^/]+\/[^/]+|reminders\/off\/[^/]+)\/?$/;

const MEMBER_PAGES = /^\/(account_deletion|day|entry|journals|search|settings|surprise|upload)(\/|$)/;

/** Returns whether a visitor can see a page without a verified session. */
export const isPublicPage = (path: string): boolean => PUBLIC_PAGES.test(path);

/** Returns whether a page needs a verified session. One that's neither this, public, nor `/` doesn't exist. */
export const isMemberPage = (path: string): boolean => MEMBER_PAGES.test(path);
