import { afterAll, beforeAll, expect, it } from 'vitest';
import { addPeerAddress } from '@/lib/foundation/http/client-address';
import { sign } from '@/lib/foundation/job-signature';
import { checkSite } from '@/lib/operations/health/site';
import { useFreshDatabase } from '@/test/app-database';
import { type HttpServer, startHttpServer } from '@/test/leaks/proxy';
import { GET } from './route';

const TIMEOUT_MS = 10_000;

let site: HttpServer;
/** What proxies in front of the site have added. */
let forwardedFor: string | undefined;
let takeDown: () => Promise<void>;

beforeAll(async () => {
  site = await startHttpServer(async (incoming, _body, outgoing) => {
    if (forwardedFor) incoming.headers['x-forwarded-for'] = forwardedFor;
    addPeerAddress(incoming);
    const headers = incoming.headers as Record<string, string>;
    const answer = await GET(new Request(`${site.url}${incoming.url}`, { headers }));
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  takeDown = await useFreshDatabase({ site: site.url });
});
afterAll(async () => {
  await site.close();
  await takeDown();
});

it('finds TRUSTED_PROXIES=0 right without a proxy, and wrong behind one', async () => {
  expect(await checkSite(TIMEOUT_MS)).toEqual({ problems: [] });
  forwardedFor = '203.0.113.7, 10.0.0.2';
  expect(await checkSite(TIMEOUT_MS)).toEqual({
    problems: [
      expect.stringMatching(/^A request from here passes 2 proxies .* is 0\. .* Set TRUSTED_PROXIES=2\.$/),
    ],
  });
});

it('tells nobody else about proxies', async () => {
  const foreign = sign(Buffer.from('x-daylight-proxies'), 'another secret of 32 letters or more');
  for (const headers of [{}, { 'x-daylight-proxies': '1' }, { 'x-daylight-proxies': foreign }]) {
    const answer = await fetch(`${site.url}/api/health`, { headers: headers as Record<string, string> });
    expect([...answer.headers.keys()]).not.toContain('x-daylight-proxies');
  }
});
