/** The pages that a visitor can see without a verified session. */
const OPEN =
  /^\/(login|login\/code|logout|signup|reset_password|verify_email|reset\/[^/]+\/[^/]+|verify_email\/[^/]+\/[^/]+|change_email\/[^/]+\/[^/]+|security_notice\/[^/]+\/[^/]+)\/?$/;

export function isOpenPage(pathname: string): boolean {
  return OPEN.test(pathname);
}
