import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { assertNothingLeaked } from '@/e2e/leak-search';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'daylight-leak-search-'));
  mkdirSync(join(dataDir, 'logs'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const search = (log: string, spans: string) => {
  writeFileSync(join(dataDir, 'logs', 'app.log'), log);
  writeFileSync(join(dataDir, 'exports.jsonl'), spans);
  return assertNothingLeaked({ dataDir }, join(dataDir, 'exports.jsonl'), ['The day at the harbor']);
};

const LOG = '{"level":30,"path":"/entry/:id","msg":"request"}\n';
const SPANS = '{"spans":[{"name":"GET /api/v1/entry/[id]","traceId":"0198f6a1b2c37d4e8f90a1b2c3d4e5f6"}]}\n';

it('finds nothing in what the app usually says', () => expect(search(LOG, SPANS)).resolves.toBeUndefined());

it.each([
  ['a journal’s text in a log', `{"msg":"saved The day at the harbor"}\n`, SPANS],
  [
    'a journal’s text in a span',
    LOG,
    '{"spans":[{"name":"GET","attributes":[{"value":"The day at the harbor"}]}]}\n',
  ],
  ['a text in a line that isn’t JSON', 'Error: The day at the harbor\n', SPANS],
  ['an address', '{"to":"ada@example.com"}\n', SPANS],
  ['a token', LOG, `{"name":"eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0"}\n`],
  ['a signed URL', '{"url":"https://storage/x?X-Amz-Signature=1"}\n', SPANS],
  ['a query', LOG, '{"name":"GET /search?q=harbor"}\n'],
  ['no spans at all', LOG, ''],
])('fails for %s', async (_what, log, spans) => {
  await expect(search(log, spans)).rejects.toThrow(/aren't clean/);
});
