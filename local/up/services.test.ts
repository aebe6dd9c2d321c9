import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeCertificate, startTlsPostgres } from '@/test/tls-postgres';
import { checkDatabase, describeSpeech, readConfigured } from './services';

test('starts no stand-in for what is configured, replaced, or turned off', () => {
  expect(readConfigured({})).toMatchObject({ mail: false, till: false });
  expect(readConfigured({ SMTP_URL: 'smtp://localhost' })).toMatchObject({ mail: true, till: false });
  expect(readConfigured({ STRIPE_SECRET_KEY: 'off' })).toMatchObject({ mail: false, till: true });
  expect(() => readConfigured({ STRIPE_SECRET_KEY: 'sk_test_1' })).toThrow(
    /STRIPE_WEBHOOK_SECRET is missing/,
  );
});

test('says what transcribes, without what a key may be in', () => {
  expect(describeSpeech({ SPEECH_BASE_URL: '' })).toBe('the built-in engine (Moonshine tiny, English)');
  expect(describeSpeech({ SPEECH_BASE_URL: 'https://api.openai.com' })).toBe(
    'https://api.openai.com (whisper-1)',
  );
  const own = { SPEECH_BASE_URL: 'http://ada:secret@speech:8000/v1?key=secret', SPEECH_MODEL: 'large-v3' };
  expect(describeSpeech(own)).toBe('http://speech:8000/v1 (large-v3)');
});

test('says why a database isn’t verified, and takes it if the address says so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'daylight-services-'));
  const server = await startTlsPostgres(join(folder, 'tls'), makeCertificate(folder, 'server'));
  // Not recognized as this machine.
  const address = server.url.replace('127.0.0.1', '127.1');
  try {
    await expect(checkDatabase(address)).rejects.toThrow(
      /certificate is signed by itself\. .*sslmode=no-verify/,
    );
    await checkDatabase(`${address}?sslmode=no-verify`);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
