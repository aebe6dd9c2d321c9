import { afterEach, expect, it, vi } from 'vitest';
import { TEST_SETTINGS } from '@/test/app-database';

afterEach(() => vi.unstubAllEnvs());

/** Returns the header of a site with these settings, or null. */
async function readHeader(settings: Record<string, string>): Promise<string | null> {
  vi.resetModules();
  const given = { ...TEST_SETTINGS, DATABASE_URL: 'postgres://127.0.0.1:9/none', ...settings };
  for (const [name, value] of Object.entries(given)) vi.stubEnv(name, value);
  const { setTransportSecurity } = await import('./transport-security');
  const headers = new Headers();
  setTransportSecurity(headers);
  return headers.get('strict-transport-security');
}

it('holds browsers to https for two years, and leaves other names of the domain alone', async () => {
  expect(await readHeader({ APP_URL: 'https://example.com' })).toBe('max-age=63072000');
});

it('includes the names below the site’s if that’s set', async () => {
  const settings = { APP_URL: 'https://example.com', HSTS_INCLUDE_SUBDOMAINS: '1' };
  expect(await readHeader(settings)).toBe('max-age=63072000; includeSubDomains');
});

it('sends nothing over http', async () => {
  const settings = { APP_URL: 'http://localhost:3000', HSTS_INCLUDE_SUBDOMAINS: '1' };
  expect(await readHeader(settings)).toBeNull();
});
