import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { useDoctor } from '@/test/doctor';
import { makeCertificate, startTlsPostgres } from '@/test/tls-postgres';

let doctor: Awaited<ReturnType<typeof useDoctor>>;

beforeAll(async () => {
  doctor = await useDoctor();
});
afterAll(() => doctor?.close());
beforeEach(() => doctor.reset());
afterEach(() => void vi.unstubAllEnvs());

describe('a site whose jobs run in functions', () => {
  const functions = { SERVERLESS: '1', SPEECH_BASE_URL: '', FFMPEG_PATH: '/nowhere/ffmpeg' };

  it('isn’t judged by this machine’s programs and files', async () => {
    const { code, checks } = await doctor.examine(functions);
    expect({ code, checks }).toMatchObject({
      code: 0,
      checks: {
        Jobs: '✓ No function has reported its ffmpeg yet, so this assumes the slow build. Videos can be up to 30 seconds long and 150 MB.',
        'Free space': expect.stringMatching(/^– skipped\. The site runs in functions/),
        Media: expect.stringMatching(/^– skipped\. Jobs run in functions, .*\/api\/health instead\.$/),
        Speech: expect.stringMatching(/^✓ The built-in engine transcribes English/),
        'Speech files': expect.stringMatching(/^– skipped\. The built-in engine runs in functions/),
      },
    });
  });
});

describe('--env-file', () => {
  const write = (text: string) => {
    const path = join(doctor.folder, 'production.env');
    writeFileSync(path, text);
    return path;
  };

  it('has the settings that the environment lacks', async () => {
    const { S3_BUCKET: name } = process.env;
    vi.stubEnv('S3_BUCKET', undefined);
    expect((await doctor.examine({})).checks.Settings).toMatch(/S3_BUCKET is missing/);
    const path = write(`S3_BUCKET="${name}"\nS3_ACCESS_KEY_ID="another"\n`);
    for (const args of [['--env-file', path], [`--env-file=${path}`]]) {
      const { code, checks } = await doctor.examine({}, ...args);
      // The key in the environment counts.
      expect([code, checks.Settings, checks.Storage]).toEqual([0, '✓', '✓']);
    }
  });

  it('may come with other options', async () => {
    const path = write('');
    const { code, output } = await doctor.examine({}, '--env-file', path, '--dta');
    expect([code, output]).toEqual([2, expect.stringMatching(/^Unknown option '--dta'/)]);
  });

  it('names the secrets that Vercel keeps to itself, and no other value', async () => {
    for (const name of ['AUTH_SECRET', 'RESEND_API_KEY', 'S3_BUCKET']) vi.stubEnv(name, undefined);
    const path = write('AUTH_SECRET="[SENSITIVE]"\nRESEND_API_KEY="[SENSITIVE]"\nS3_BUCKET="hush"\n');
    const { code, output } = await doctor.examine({}, '--env-file', path);
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/AUTH_SECRET is “\[SENSITIVE\]”.*\n *RESEND_API_KEY is “\[SENSITIVE\]”/),
    ]);
    expect(output).not.toContain('hush');
  });

  it('has to be a file', async () => {
    expect(await doctor.examine({}, '--env-file')).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^Name a file: --env-file production\.env/),
    });
    // Older versions of Node take the option for theirs, and say so themselves.
    const { code, output } = await doctor.examine({}, '--env-file', '/nowhere/production.env');
    expect([code === 0, output]).toEqual([
      false,
      expect.stringMatching(/\/nowhere\/production\.env(: not found| in --env-file doesn’t exist)/),
    ]);
  });
});

it('has to be where APP_URL leads', async () => {
  const location = 'https://www.journal.example.com/api/health';
  Object.assign(doctor.site.answer, { status: 308, headers: { location }, body: '' });
  const { code, checks } = await doctor.examine();
  expect([code, checks.Site]).toEqual([
    1,
    expect.stringMatching(/^✗ .* redirects to https:\/\/www\.journal\.example\.com\. Set APP_URL/),
  ]);
});

describe('the database’s certificate', () => {
  it('has to be verified by the doctor and by migrations, unless the address says otherwise', async () => {
    const server = await startTlsPostgres(
      join(doctor.folder, 'tls'),
      makeCertificate(doctor.folder, 'server'),
    );
    // Not recognized as this machine.
    const at = (query: string) => ({ DATABASE_URL: `${server.url.replace('127.0.0.1', '127.1')}${query}` });
    try {
      const [unverified, warned, accepted] = await Promise.all([
        doctor.examine(at('')),
        doctor.examine(at('?sslmode=require')),
        doctor.examine(at('?sslmode=no-verify')),
      ]);
      expect(unverified.checks.Database).toMatch(/^✗ .*signed by itself\. .* sslmode=no-verify\.$/);
      expect(warned.checks.Database).toMatch(
        /^✗ .*haven’t run\. .* sslmode=require doesn’t verify the database server/,
      );
      expect(accepted.checks.Database).toMatch(
        /^✗ The database is older than this release[^✓]*system environment variables\.$/,
      );
      const migrate = (query: string) => doctor.programs.start('migrate', at(query)).ended;
      expect(await migrate('')).toEqual({
        code: 1,
        output: expect.stringMatching(/^The .*signed by itself/),
      });
      expect(await migrate('?sslmode=no-verify')).toMatchObject({ code: 0 });
      expect(await migrate('?sslmode=a&sslmode=b')).toEqual({
        code: 1,
        output: 'DATABASE_URL has sslmode more than once. Keep one.\n',
      });
    } finally {
      await server.stop();
    }
  });
});
