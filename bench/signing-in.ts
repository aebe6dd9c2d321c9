import { Agent, request } from 'node:http';
import { v7 as uuidv7 } from 'uuid';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { hashPassword } from '@/lib/accounts/passwords';
import type { Part } from './bench';
import { figure, median, quantile } from './figures';

const FLOOD = 200;
const ROUNDS = 9;
/** Until the server's code is compiled, each request costs it twice as much. */
const WARM_UP = 5;
const PASSWORD = 'three quiet lamps';
const LIMIT_SECONDS = 1;

/** Sends a sign-in from an address of this machine, and returns the status of its answer. */
function signIn(url: string, from: string, body: { email: string; password: string }): Promise<number> {
  const text = JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}/api/v1/login`,
      {
        method: 'POST',
        // Each client is an address of the loopback network, and each request has a connection of its own.
        localAddress: from,
        agent: new Agent({ keepAlive: false }),
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
      },
      (response) => {
        response.resume();
        response.once('error', reject);
        response.once('end', () => resolve(response.statusCode ?? 0));
      },
    );
    sent.once('error', reject);
    sent.end(text);
  });
}

async function addAccount(): Promise<string> {
  const id = uuidv7();
  const email = `${id}@bench.invalid`;
  await db()
    .insert(users)
    .values({
      ...{ id, email, passwordHash: await hashPassword(PASSWORD), firstName: 'Ada', lastName: 'Bench' },
      verifiedAt: new Date(),
    });
  return email;
}

/** How long a person waits for their own sign-in while another client sends 200 at once, each for another address. */
export const signingIn: Part = {
  linuxOnly: true,
  async measure(bench) {
    const { url } = await bench.app();
    const email = await addAccount();
    const seconds: number[] = [];
    for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
      const flood = Array.from({ length: FLOOD }, () =>
        signIn(url, `127.0.1.${round + 1}`, { email: `${uuidv7()}@bench.invalid`, password: 'wrong' }),
      );
      const began = performance.now();
      const status = await signIn(url, '127.0.0.2', { email, password: PASSWORD });
      const took = (performance.now() - began) / 1000;
      const answers = await Promise.all(flood);
      if (status !== 200) throw new Error(`The sign-in was answered with ${status}.`);
      const odd = answers.find((answer) => ![401, 429, 503].includes(answer));
      if (odd !== undefined) throw new Error(`The flood was answered with ${odd}.`);
      if (round >= WARM_UP) seconds.push(took);
    }
    const about = `sign-in while another client sends ${FLOOD}`;
    return [
      figure(`${about}, median`, { unit: 's', ours: median(seconds), limit: LIMIT_SECONDS, bar: 1 }),
      figure(`${about}, slowest`, { unit: 's', ours: quantile(seconds, 1), limit: LIMIT_SECONDS, bar: 1 }),
    ];
  },
};
