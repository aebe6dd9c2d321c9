import { ERRORS, RETRY_SECONDS } from '@/lib/contract/errors';

const [STATUS] = ERRORS.unavailable;

/** What a visitor gets instead of a page that can't be made right now. Needs no scripts. */
export const UNAVAILABLE_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Daylight is busy right now</title>
<style>
:root { color-scheme: light dark }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif }
main { max-width: 560px; margin: 0 auto; padding: 64px 24px }
h1 { font-size: 28px; line-height: 1.25 }
</style>
</head>
<body>
<main>
<h1>Daylight is busy right now</h1>
<p>Everything you’ve saved is safe. Try again in a moment.</p>
<p><a href="">Try again</a></p>
</main>
</body>
</html>
`;

/** Returns {@link UNAVAILABLE_PAGE}, for while the database doesn't answer. */
export const unavailablePage = (): Response =>
  new Response(UNAVAILABLE_PAGE, {
    status: STATUS,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-store',
      'retry-after': String(RETRY_SECONDS),
    },
  });
