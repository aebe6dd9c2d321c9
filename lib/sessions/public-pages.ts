/** The pages that a visitor can see without a verified session. */
const PUBLIC_PAGES =
  /^\/(login|login\/code|logout|signup|reset_password|verify_email|reset\/[^/]+\/[^/]+|verify_email\/[^/]+\/[^/]+|change_email\/[^/]+\/[^/]+|security_notice\/[^/]+\/[^/]+)\/?$/;

export function isPublicPage(pathname: string): boolean {
  return PUBLIC_PAGES.test(pathname);
}
