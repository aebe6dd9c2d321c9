import { ERRORS, RETRY_SECONDS } from '@/lib/foundation/contract/errors';
import { plainPage } from './plain-page';

const [STATUS] = ERRORS.unavailable;

/** What a visitor gets instead of a page that can't be made right now. Needs no scripts. */
export const UNAVAILABLE_PAGE = plainPage({
  heading: 'Daylight is busy right now',
  text: 'Everything you’ve saved is safe. Try again in a moment.',
  href: '',
  link: 'Try again',
});

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
