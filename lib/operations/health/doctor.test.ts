import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { entrySearch } from '@/db/schema/search';
import { createEmptyDatabase } from '@/test/database';
import { NOWHERE, useDoctor } from '@/test/doctor';
import { makeEntry, makeUser } from '@/test/factories';
import { startSmtpServer } from '@/test/smtp-server';

let doctor: Awaited<ReturnType<typeof useDoctor>>;
let examine: typeof doctor.examine;
let jobs: typeof doctor.jobs;

beforeAll(async () => {
  doctor = await useDoctor();
  ({ examine, jobs } = doctor);
});
afterAll(() => doctor?.close());
beforeEach(() => doctor.reset());

/** What each check says, in order. */
const each = (said: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(said).map(([name, text]) => [name, expect.stringMatching(new RegExp(`^${text}`))]),
  );

/** Nothing is wrong with jobs, and the tests' setting is named. */
const JOBS_RUN = expect.stringMatching(
  /^✓ ffmpeg, which reads whatever people upload, runs without a sandbox \(FFMPEG_SANDBOX=off\)\. “ffmpeg” in docs/,
);

it('finds nothing wrong, and exits with 0', async () => {
  const { code, checks } = await examine();
  expect({ code, checks }).toEqual({
    code: 0,
    checks: {
      Settings: '✓',
      Site: '✓',
      Database: '✓ Not encrypted (this machine).',
      Storage: '✓',
      Jobs: JOBS_RUN,
      Speech: '✓',
      Payments: '✓',
      Email: '✓',
      Disk: expect.stringMatching(/^✓ \S+( \(in memory\))?: .* free, \d+%\./),
    },
  });
});

it('compares what the services hold, repairs it if asked to, and exits with 1 while something is wrong', async () => {
  const { id: userId } = await makeUser();
  const { id } = await makeEntry(userId, { videoStatus: 'failed', videoKey: null, heldByPlan: true });
  await db().delete(entrySearch);
  const found = await examine({}, '--data');
  expect([found.code, found.checks['Search index'], found.checks.Uploads]).toEqual([
    1,
    expect.stringMatching(`^✗ 1 entry is out .* --repair indexes them again. ${id}$`),
    '✓',
  ]);
  const repaired = await examine({}, '--repair');
  expect([repaired.code, repaired.checks['Search index'], repaired.checks.Files]).toEqual([
    1,
    expect.stringMatching(/^✓ .* Repaired\.$/),
    expect.stringMatching(new RegExp(`^✗ 1 entry has neither .* Restore .* entries/${userId}/${id}/$`)),
  ]);
  await db().delete(entries);
  expect((await examine({}, '--data')).code).toBe(0);
});

it('works while the app is stopped, and mentions functions of another app', async () => {
  jobs.app = 'daylight-worker';
  const { code, checks } = await examine({ INNGEST_SERVE_ORIGIN: NOWHERE });
  expect([code, checks.Jobs]).toEqual([
    0,
    expect.stringMatching(/^✓ The app isn’t responding at .*archive that app/),
  ]);
});

it('lists the settings that are missing', async () => {
  const { code, output } = await examine({ S3_BUCKET: '', RESEND_API_KEY: '' });
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(
      /^✗ Settings\n.*\n *S3_BUCKET is missing\n *RESEND_API_KEY or SMTP_URL is missing\n/,
    ),
  ]);
});

it('says which services aren’t set up, and finds nothing wrong with that', async () => {
  const smtp = await startSmtpServer({ password: 'right' });
  const SMTP_URL = smtp.url.replace('//', '//ada:right@');
  const without = { RESEND_API_KEY: '', SPEECH_BASE_URL: '', STRIPE_SECRET_KEY: 'off' };
  const { code, checks } = await examine({ ...without, SMTP_URL }).finally(smtp.close);
  expect(code).toBe(0);
  expect(checks).toMatchObject(
    each({
      Speech: '✓ The built-in engine transcribes English.*set SPEECH_BASE_URL',
      Payments: '✓ Plans are off.*Every account has DEFAULT_PLAN, which is Standard',
      Email: '✓$',
    }),
  );
});

it('names every service that doesn’t answer', async () => {
  const nowhere = {
    DATABASE_URL: 'postgres://a:b@127.0.0.1:9/daylight',
    S3_ENDPOINT: NOWHERE,
    INNGEST_BASE_URL: NOWHERE,
    SPEECH_BASE_URL: NOWHERE,
    STRIPE_API_BASE: NOWHERE,
    RESEND_BASE_URL: NOWHERE,
  };
  const { code, checks } = await examine(nowhere, '--data');
  expect(code).toBe(1);
  expect(checks).toMatchObject(
    each({
      Database: '✗ The database isn’t responding .*fix DATABASE_URL',
      Storage: '✗ Storage at .*Check S3_ENDPOINT',
      Jobs: '✗ Inngest isn’t responding .*fix INNGEST_BASE_URL',
      Speech: '✗ The speech service isn’t responding.*fix SPEECH_BASE_URL',
      Payments: '✗ Stripe isn’t responding.*fix STRIPE_API_BASE',
      Email: '✗ Resend isn’t responding.*fix RESEND_BASE_URL',
      Data: '✗ Not compared\\. First fix what’s wrong above: Database and Storage\\.$',
    }),
  );
});

it('names every key that’s refused, and prints none', async () => {
  jobs.status = { events: 401, apps: 401 };
  const { code, output, checks } = await examine({
    S3_SECRET_ACCESS_KEY: 'another',
    SPEECH_API_KEY: 'another',
    STRIPE_SECRET_KEY: 'sk_test_another',
    RESEND_API_KEY: 're_another',
  });
  expect(code).toBe(1);
  expect(checks).toMatchObject(
    each({
      Database: '✓',
      Storage: '✗ Storage rejected S3_SECRET_ACCESS_KEY',
      Jobs: '✗ Inngest rejected INNGEST_EVENT_KEY.* rejected INNGEST_SIGNING_KEY',
      Speech: '✗ The speech service rejected SPEECH_API_KEY',
      Payments: '✗ Stripe rejected STRIPE_SECRET_KEY',
      Email: '✗ Resend rejected RESEND_API_KEY',
    }),
  );
  for (const secret of ['another', 'abab', 'the tests']) expect(output).not.toContain(secret);
});

it('says what else is wrong with a service that answers', async () => {
  const url = new URL(String(process.env.DATABASE_URL));
  url.pathname = 'postgres';
  const { code, checks } = await examine({
    DATABASE_URL: url.href,
    INNGEST_SERVE_ORIGIN: NOWHERE,
    APP_URL: 'http://127.0.0.1:3000',
    STRIPE_PRICE_BASIC: 'nothing',
    MAIL_FROM: 'Daylight',
    DISK_FOLDERS: '/nowhere/at-all',
  });
  expect(code).toBe(1);
  expect(checks).toMatchObject(
    each({
      Database: '✗ The database is older than this release.*npm run db:migrate',
      Storage: '✗ Storage’s CORS rules',
      Payments: '✗ Stripe has no active price “nothing”.*set STRIPE_PRICE_BASIC',
      Email: '✗ MAIL_FROM doesn’t have an email address',
      Disk: '✗ The folder /nowhere/at-all in DISK_FOLDERS doesn’t exist',
    }),
  );
});

it('compares TRUSTED_PROXIES with the proxies that its own request passes', async () => {
  doctor.site.answer.headers = { 'x-daylight-proxies': '1' };
  const [none, right, more] = await Promise.all(
    ['0', '1', '2'].map((TRUSTED_PROXIES) => examine({ TRUSTED_PROXIES })),
  );
  expect([none?.code, none?.checks.Site]).toEqual([
    1,
    expect.stringMatching(/^✗ .*Set TRUSTED_PROXIES=1\.$/),
  ]);
  expect([right?.code, right?.checks.Site]).toEqual([0, '✓']);
  expect([more?.code, more?.checks.Site]).toEqual([
    0,
    expect.stringMatching(/^✓ .*make up their address\.$/),
  ]);
});

it('names an encoding that breaks words into pieces', async () => {
  const { url, drop } = await createEmptyDatabase({
    options: "template template0 encoding 'SQL_ASCII' locale 'C'",
  });
  const { code, checks } = await examine({ DATABASE_URL: url }).finally(drop);
  expect([code, checks.Database]).toEqual([
    1,
    expect.stringMatching(
      /^✗ The database’s encoding is SQL_ASCII, but Daylight needs UTF8\. .*settings\.md/,
    ),
  ]);
});

it.each(['FFMPEG_PATH', 'FFPROBE_PATH'])('names %s if no program is there', async (name) => {
  const { code, checks } = await examine({ [name]: '/nowhere/at-all' });
  expect([code, checks.Jobs]).toEqual([
    1,
    expect.stringMatching(new RegExp(`^✗ Videos can’t be .* because ${name} is /nowhere/at-all, where no`)),
  ]);
});

it('needs a worker where workers run the jobs', async () => {
  jobs.app = 'daylight-worker';
  const { code, checks } = await examine({ JOBS: 'worker' });
  expect([code, checks.Jobs]).toEqual([1, expect.stringMatching(/^✗ No worker .*npm run worker/)]);
});

it('waits for the run of its own event', async () => {
  jobs.events = [];
  // What was proved before doesn't count for the doctor.
  expect((await examine()).checks.Jobs).toEqual(JOBS_RUN);
  expect(jobs.events).toEqual(['health/ping']);
  jobs.runsPings = false;
  expect((await examine()).checks.Jobs).toMatch(
    /^✗ Inngest accepts events, but the last one hasn’t started a job, although jobs run by the clock\. Make sure/,
  );
});
