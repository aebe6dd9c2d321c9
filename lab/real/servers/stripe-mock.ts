import { join } from 'node:path';
import { answersAtAll, freePorts, startProcess } from '../process';
import type { RealServer } from './server';

/** Stripe's own mock, which checks requests against Stripe's OpenAPI document and keeps no state. */
export const stripeMock: RealServer = {
  name: 'stripe-mock',
  programs: ['stripe-mock'],
  service: null,
  tests: { unit: ['local/stripe/contract', 'lib/billing/subscriptions/'], e2e: [] },
  differences: {},
  async start({ programs, dir }) {
    const { http, https } = await freePorts('http', 'https');
    const url = `http://127.0.0.1:${http}`;
    const server = await startProcess({
      command: programs['stripe-mock'] ?? '',
      args: ['-http-addr', `127.0.0.1:${http}`, '-https-addr', `127.0.0.1:${https}`],
      cwd: dir,
      log: join(dir, 'stripe-mock.log'),
      isReady: () => answersAtAll(url),
    });
    return { env: { STRIPE_MOCK_URL: url }, stop: server.stop };
  },
};
