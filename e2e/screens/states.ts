import type { Page } from '@playwright/test';

/** Whose pages a state shows. */
export type Visitor = 'nobody' | 'newcomer' | 'unverified' | 'demo';

/** A screen in a state worth looking at. */
export interface ScreenState {
  name: string;
  visitor: Visitor;
  /** The address, or how to find it. */
  path: string | ((page: Page) => Promise<string>);
  /** What brings the page into this state. */
  prepare?: (page: Page) => Promise<unknown>;
  /** Whether it's about the first moment, before data arrives. */
  loading?: boolean;
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
const type = (label: string | RegExp, text: string) => (page: Page) =>
  page.getByLabel(label).first().fill(text);

/** Returns the address of the newest entry of whoever is logged in. */
async function newestEntry(page: Page): Promise<string> {
  const response = await page.request.get('/api/v1/entries?limit=1');
  const [entry] = (await response.json()) as { id: string }[];
  return `/entry/${entry?.id}`;
}

/** Makes every call to the API fail, as without a network. */
const failCalls = (page: Page) => page.route('**/api/v1/**', (route) => route.abort());

const simple = (visitor: Visitor, paths: Record<string, string>): ScreenState[] =>
  Object.entries(paths).map(([name, path]) => ({ name, visitor, path }));

const SETTINGS_TABS = 'profile preferences security video plan billing tags memories trash device data'.split(
  ' ',
);

const VISITORS: ScreenState[] = [
  ...simple('nobody', {
    landing: '/',
    login: '/login',
    signup: '/signup',
    'reset-password': '/reset_password',
    'reset-link': '/reset/abc/def/',
    'verify-link': '/verify_email/abc/def/',
    privacy: '/privacy',
    terms: '/terms',
    notices: '/notices',
    offline: '/offline',
    'unknown-address': '/nowhere',
  }),
  {
    name: 'login-refused',
    visitor: 'nobody',
    path: '/login',
    async prepare(page) {
      await type('Email', 'nobody@example.com')(page);
      await page.getByLabel('Password', { exact: true }).fill('wrong password');
      await page.getByRole('button', { name: 'Login', exact: true }).click();
      await page.getByText('Incorrect email or password.').first().waitFor();
    },
  },
  { name: 'signup-incomplete', visitor: 'nobody', path: '/signup', prepare: press('Signup') },
  ...simple('unverified', { 'verify-email': '/verify_email' }),
];

const NEWCOMERS: ScreenState[] = simple('newcomer', {
  'today-empty': '/',
  'journal-empty': '/journals',
  'search-before': '/search',
  'tags-empty': '/settings/tags',
  'trash-empty': '/settings/trash',
  'entry-unknown': '/entry/0195f2a0-7c1e-7d3b-9a51-2f6c8e4b1d91',
});

const JOURNAL: ScreenState[] = [
  { name: 'today-loading', visitor: 'demo', path: '/', loading: true },
  ...simple('demo', {
    today: '/',
    cards: '/journals',
    'cards-second-page': '/journals?page=2',
    'cards-no-match': '/journals?month=1999-01',
    calendar: '/journals?view=calendar',
    timeline: '/journals?view=timeline',
    'search-results': '/search?query=the',
    'search-none': '/search?query=zeppelin',
    import: '/upload/import',
  }),
  { name: 'entry', visitor: 'demo', path: newestEntry },
  {
    name: 'entry-scrolled',
    visitor: 'demo',
    path: newestEntry,
    prepare: (page) => page.evaluate(() => window.scrollTo(0, 900)),
  },
  { name: 'entry-editing', visitor: 'demo', path: newestEntry, prepare: press(/^Edit$/) },
  { name: 'entry-menu', visitor: 'demo', path: newestEntry, prepare: press('More actions') },
  {
    name: 'entry-note-failed',
    visitor: 'demo',
    path: newestEntry,
    async prepare(page) {
      await type('Additional notes', 'Ask Dad which edition he has.')(page);
      await failCalls(page);
      await press('Post Note')(page);
      await page.getByText('Network Error').first().waitFor();
    },
  },
  {
    name: 'palette',
    visitor: 'demo',
    path: '/journals',
    async prepare(page) {
      await page.keyboard.press('ControlOrMeta+k');
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'studio', visitor: 'demo', path: '/upload' },
  {
    name: 'studio-recording',
    visitor: 'demo',
    path: '/upload',
    async prepare(page) {
      await press('Start Recording')(page);
      await press('Skip countdown')(page);
      await page.getByRole('button', { name: 'Stop Recording' }).waitFor();
    },
  },
];

const SETTINGS: ScreenState[] = [
  { name: 'settings', visitor: 'demo', path: '/settings' },
  ...SETTINGS_TABS.map(
    (tab): ScreenState => ({ name: `settings-${tab}`, visitor: 'demo', path: `/settings/${tab}` }),
  ),
  {
    name: 'tag-palette',
    visitor: 'demo',
    path: '/settings/tags',
    prepare: press('Choose New tag color'),
  },
  {
    name: 'tags-edited',
    visitor: 'demo',
    path: '/settings/tags',
    prepare: (page) =>
      page
        .getByRole('textbox', { name: /^Title of/ })
        .first()
        .fill('Home'),
  },
  { name: 'account-menu', visitor: 'demo', path: '/journals', prepare: press('Account menu') },
];

/** Every state that the contact sheet shows. */
export const STATES: readonly ScreenState[] = [...VISITORS, ...NEWCOMERS, ...JOURNAL, ...SETTINGS];
