import { ERRORS, RETRY_SECONDS } from '@/lib/foundation/contract/errors';
import { DEFAULT_CSP } from './default-csp';

/** Returns a whole page of a heading, a sentence, and a link, which needs no scripts and no other files. */
export const plainPage = (page: { heading: string; text: string; href: string; link: string }): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.heading}</title>
<style>
:root { color-scheme: light dark }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif }
main { max-width: 560px; margin: 0 auto; padding: 64px 24px }
h1 { font-size: 28px; line-height: 1.25 }
</style>
</head>
<body>
<main>
<h1>${page.heading}</h1>
<p>${page.text}</p>
<p><a href="${page.href}">${page.link}</a></p>
</main>
</body>
</html>
`;

const respond = (page: string, headers: Record<string, string>): Response =>
  new Response(page, {
    status: ERRORS.unavailable[0],
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'private, no-store', ...headers },
  });

/** What a visitor gets instead of a page that can't be made right now. Needs no scripts. */
export const UNAVAILABLE_PAGE = plainPage({
  heading: 'Daylight is busy right now',
  text: 'Everything you’ve saved is safe. Try again in a moment.',
  href: '',
  link: 'Try again',
});

/** Returns {@link UNAVAILABLE_PAGE}, for while the database doesn't answer. */
export const unavailablePage = (): Response =>
  respond(UNAVAILABLE_PAGE, { 'retry-after': String(RETRY_SECONDS) });

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
  respond(UNCONFIGURED_PAGE, { 'content-security-policy': DEFAULT_CSP });
