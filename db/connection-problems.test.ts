import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PostgresServer } from '@/local/postgres/server';
import {
  addressAt,
  type Certificate,
  makeCertificate,
  signCertificate,
  startTlsPostgres,
  usesTls,
} from '@/test/tls-postgres';
import { describeConnectionProblem } from './connection-problems';
import { codeOf, isDatabaseUnavailable } from './errors';

let folder: string;
let authority: Certificate;
const servers: Record<string, PostgresServer> = {};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'daylight-certificates-'));
  authority = makeCertificate(folder, 'authority');
  const certificates = {
    own: authority,
    signed: signCertificate(folder, 'db.example', authority, 2),
    expired: signCertificate(folder, 'localhost', authority, -1),
  };
  for (const [name, certificate] of Object.entries(certificates))
    servers[name] = await startTlsPostgres(join(folder, name), certificate);
});
afterAll(async () => {
  for (const server of Object.values(servers)) await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

it.each([
  ['own', 'sslmode=verify-full', /signed by itself\. .* sslrootcert=.* sslmode=no-verify\.$/],
  [
    'signed',
    'sslmode=verify-full',
    /isn’t signed by an authority that this machine knows\. .* sslrootcert=.* sslmode=no-verify\.$/,
  ],
  [
    'signed',
    'sslmode=verify-full&sslrootcert=AUTHORITY',
    /for another host name than the one in DATABASE_URL/,
  ],
  ['expired', 'sslmode=verify-full&sslrootcert=AUTHORITY', /certificate has expired\. Renew it/],
])('explains why a server whose certificate is %s isn’t used with %s', async (name, query, sentence) => {
  const server = servers[name] as PostgresServer;
  const address = addressAt(server, 'localhost', query.replace('AUTHORITY', authority.cert));
  const error = await usesTls(address).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(describeConnectionProblem(codeOf(error))).toMatch(sentence);
  // Jobs try again later, and people see that the site is down for now.
  expect(isDatabaseUnavailable(error)).toBe(true);
});
