import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { operations } from '@/lib/api/operations';
import { corsRule, LIFECYCLE_RULE } from '@/lib/clients/bucket-rules';
import { parseEnv } from '@/lib/foundation/env';
import { composeSettings } from './compose-settings';

const root = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Settings that the app reads, by name. */
const SETTINGS = [...read('lib/foundation/env.ts').matchAll(/^ {2}([A-Z][A-Z0-9_]+): /gm)].map(
  ([, name = '']) => name,
);
/** Set by the platform or by `npm run up`, not by an operator. */
const NOT_SET_BY_HAND = ['NODE_ENV', 'DAYLIGHT_LOCAL', 'VERCEL'];

const compose = read('deploy/compose.yaml');
it('starts with what compose.yaml and deploy/new-env.sh set, and an SMTP server', () => {
  const settings = composeSettings();
  expect(Object.keys(settings).filter((name) => !SETTINGS.includes(name))).toEqual([]);
  const env = parseEnv({ ...settings, SMTP_URL: 'smtp://mail.example.com', NODE_ENV: 'production' });
  expect(env).toMatchObject({
    APP_URL: 'https://journal.example.com',
    S3_BUCKET: 'daylight',
    JOBS: 'worker',
  });
});

it('lets in only people who are invited, unless .env says otherwise', () => {
  expect(composeSettings({ SIGNUP: '' }).SIGNUP).toBe('invite');
  expect(composeSettings({ SIGNUP: 'open' }).SIGNUP).toBe('open');
});

it('passes on every setting in .env that compose.yaml doesn’t decide itself', () => {
  const decided = ['SERVERLESS', 'INNGEST_DEV', 'INNGEST_SERVE_ORIGIN', 'FFMPEG_PATH', 'FFPROBE_PATH'];
  const passed = Object.keys(composeSettings());
  const expected = SETTINGS.filter((name) => ![...NOT_SET_BY_HAND, ...decided].includes(name));
  expect(expected.filter((name) => !passed.includes(name))).toEqual([]);
});

it('refers to files that are there, and to the build in the folder above', () => {
  const mounted = [...compose.matchAll(/^ {6}- (\.\/[^:]+):/gm)].map(([, path = '']) => path);
  expect(mounted.map((path) => existsSync(join(root, 'deploy', path)))).toEqual([true, true]);
  expect(compose).toContain('build: { context: .., dockerfile: deploy/Dockerfile }');
  expect(existsSync(join(root, 'deploy/Dockerfile'))).toBe(true);
  expect(read('deploy/new-env.sh')).toContain("COMPOSE_FILE='deploy/compose.yaml'");
});

it('builds the image once, as builds of one image at the same time fail', () => {
  expect(compose.match(/^ +build:/gm)).toHaveLength(1);
  expect(compose.match(/<<: \*app$/gm)).toHaveLength(
    1 + (compose.match(/pull_policy: never$/gm) ?? []).length,
  );
});

it('makes new secrets each time, and lets no password have a default', () => {
  const [one, other] = [composeSettings(), composeSettings()];
  for (const name of ['AUTH_SECRET', 'DATABASE_URL', 'S3_SECRET_ACCESS_KEY', 'INNGEST_SIGNING_KEY']) {
    expect(one[name], name).not.toBe(other[name]);
  }
  const secrets = [...compose.matchAll(/\$\{\w*(?:PASSWORD|SECRET|KEY)\w*[^}]*\}/g)].map(([text]) => text);
  const optional =
    /^\$\{(?:RESEND_API_KEY|STRIPE_\w+|SPEECH_API_KEY|G(?:OOGLE|ITHUB)_CLIENT_SECRET|INNGEST_SIGNING_KEY_FALLBACK):-\}$/;
  expect(secrets.length).toBeGreaterThan(5);
  expect(secrets.filter((text) => !/:\?[^}]*\}$/.test(text) && !optional.test(text))).toEqual([]);
});

it('opens no port to other machines but those of the proxy', () => {
  const ports = [...compose.matchAll(/^ {4}ports: (\[.*\])$/gm)].flatMap(
    ([, list = '']) => JSON.parse(list) as string[],
  );
  expect(ports.length).toBeGreaterThan(0);
  expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual(['80:80', '443:443', '443:443/udp']);
});

it.each(['docs/settings.md', '.env.example'])('%s lists every setting', (path) => {
  const text = read(path);
  const missing = SETTINGS.filter(
    (name) => !NOT_SET_BY_HAND.includes(name) && !new RegExp(`\\b${name}\\b`).test(text),
  );
  expect(missing).toEqual([]);
});

it('lists the same rules for the bucket as `npm run daylight -- bucket` sets', () => {
  const shown = [...read('docs/storage.md').matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) =>
    JSON.parse(json),
  );
  expect(shown).toContainEqual({ CORSRules: [corsRule('https://journal.example.com', true)] });
  const r2 = corsRule('https://journal.example.com', false);
  expect(shown).toContainEqual({
    rules: [
      {
        allowed: { origins: r2.AllowedOrigins, methods: r2.AllowedMethods, headers: r2.AllowedHeaders },
        exposeHeaders: r2.ExposeHeaders,
      },
    ],
  });
  expect(shown).toContainEqual({ Rules: [LIFECYCLE_RULE] });
});

it('shows settings for PgBouncer that it can read, which takes no comment behind a value', () => {
  const [, ini = ''] = /```ini\n([\s\S]*?)```/.exec(read('docs/operations.md')) ?? [];
  const lines = ini.split('\n').filter((line) => line !== '' && !line.startsWith(';'));
  expect(lines).toContain('pool_mode = transaction');
  expect(lines.filter((line) => !/^(\[\w+\]|\w+ = [^;#]+)$/.test(line))).toEqual([]);
});

it('lists the events that Stripe has to send', () => {
  const [listed = ''] = /^The webhook's events: [^.]+\.[\s\S]*?\n\n/m.exec(read('docs/settings.md')) ?? [];
  const names = [...listed.matchAll(/`([a-z_.]+)`/g)].map(([, name]) => name);
  const [, handled = ''] =
    /HANDLED_EVENTS = \[([^\]]+)\]/.exec(read('lib/billing/subscriptions/events.ts')) ?? [];
  expect(names).toEqual([...handled.matchAll(/'(.+)'/g)].map(([, name]) => name));
  expect(names).toContain('invoice.paid');
});

it('logs no title, token, or query at the proxies', () => {
  const logged = (path: string) => /request>uri regexp "(.*)" "\$1"/.exec(read(path))?.[1] ?? '';
  expect(logged('docs/deploy/vps.md')).toBe(logged('deploy/Caddyfile'));
  const caddy = new RegExp(logged('deploy/Caddyfile'));
  const nginx = new RegExp(/"~(.*)" \$start;/.exec(read('deploy/nginx.conf'))?.[1] ?? 'none');
  const pages = readdirSync(join(root, 'app'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('page.tsx'))
    .map((path) =>
      `/${dirname(path)}`.replaceAll(/\/\([^)]*\)/g, '').replaceAll(/\[+(?:\.\.\.)?(\w+)\]+/g, ':$1'),
    );
  const api = operations.map(({ path }) => `/api/v1${path}`);
  const secret = [...pages, ...api].filter((path) => /:(token|title)/.test(path));
  expect(secret).toEqual(expect.arrayContaining(['/entry/:id/:title', '/reset/:uidb64/:token']));
  for (const path of secret) {
    const uri = path.replace(/:(token|title)/, 'SECRET').replaceAll(/:\w+/g, 'id');
    expect(uri.replace(caddy, '$1')).not.toContain('SECRET');
    expect(nginx.exec(uri)?.groups?.start, uri).not.toContain('SECRET');
  }
  expect('/api/v1/entry/id/notes?a=SECRET'.replace(caddy, '$1')).toBe('/api/v1/entry/id/notes');
  expect(nginx.exec('/api/v1/entry/id/notes')).toBeNull();
});
