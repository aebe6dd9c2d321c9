import { DEFAULT_CSP } from './default-csp';
import { plainPage } from './plain-page';

const UNCONFIGURED_PAGE = plainPage({
  heading: 'This deployment has no settings',
  text: 'If you run this site, its log lists what’s missing. Add those settings at your host for this environment, and deploy again. Previews get none, so they can’t change the real site’s journals.',
  href: '',
  link: 'Try again',
});

/** What the API says instead. */
export const UNCONFIGURED = 'This deployment has no settings. Its log lists what’s missing.';

/** Returns the page of a deployment without settings, such as a preview. It names none of them: anybody may read it. */
export const unconfiguredPage = (): Response =>
  new Response(UNCONFIGURED_PAGE, {
    status: 503,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-store',
      'content-security-policy': DEFAULT_CSP,
    },
  });
