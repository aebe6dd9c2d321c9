import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@/e2e/fixtures';
import { seedFullAccount } from '@/e2e/fuzz/seeded-account';
import { openApi } from '@/lib/api/contract';
import { projectRoot } from '@/local/up/data-dir';

/** The programs' paths, which `npm run lab -- real api` sets. */
const tools: Record<string, string> = JSON.parse(process.env.API_TOOLS ?? '{}');
const settings = (name: string) => join(projectRoot, 'lab/real/api', name);

/** Runs a program to its end. Returns what it says if it finds something, and otherwise nothing. */
function findings(program: string, args: string[]): Promise<string> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const cwd = mkdtempSync(join(tmpdir(), 'daylight-api-'));
  return new Promise((resolve) => {
    execFile(tools[program] ?? '', args, { cwd, env, maxBuffer: 100_000_000 }, (error, stdout, stderr) =>
      resolve(error ? `${error.message}\n${stdout}${stderr}` : ''),
    );
  });
}

test.describe('the API document', () => {
  test.skip(!tools.schemathesis, 'The programs are missing.');
  test.describe.configure({ timeout: 600_000 });

  let path: string;
  test.beforeEach(async ({ anonymous }) => {
    path = join(mkdtempSync(join(tmpdir(), 'daylight-api-')), 'openapi.json');
    writeFileSync(path, await (await anonymous.sendOperation(openApi)).text());
  });

  test('passes the strict rules of redocly', async () => {
    expect(await findings('redocly', ['lint', '--config', settings('redocly.yaml'), path])).toBe('');
  });

  test('passes the rules of spectral', async () => {
    const args = ['lint', '--ruleset', settings('spectral.yaml'), '--fail-severity', 'hint', path];
    expect(await findings('spectral', args)).toBe('');
  });

  for (const who of ['a signed-in account', 'nobody']) {
    test(`describes every answer to ${who}`, async ({ app, sql }) => {
      const world = who === 'nobody' ? null : await seedFullAccount(app, sql);
      const access = world?.api.cookies.get('next-auth.session-token');
      const args = [
        ...['--config-file', settings('schemathesis.toml'), 'run', path, '--url', `${app.url}/api/v1`],
        ...['--phases', 'examples,coverage,fuzzing', '--max-examples', '10', '--continue-on-failure'],
        ...['-H', `Origin: ${app.url}`],
        // It would end the session of all requests after it; nobody's has none to end.
        ...(access
          ? ['-H', `Cookie: next-auth.session-token=${access}`, '--exclude-operation-id', 'logout']
          : []),
        // Every request has the cookie, so none lacks it.
        ...(access
          ? ['--exclude-checks', 'ignored_auth', '--generation-with-security-parameters', 'false']
          : []),
      ];
      expect(await findings('schemathesis', args)).toBe('');
    });
  }
});
