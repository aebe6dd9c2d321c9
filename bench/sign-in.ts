import { Agent, request } from 'node:http';
import { v7 as uuidv7 } from 'uuid';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { hashPassword } from '@/lib/account/passwords/passwords';
import type { Benchmark } from './bench';
import { interleave, measurement } from './measurements';

const FLOOD = 200;
const ROUNDS = 9;
/** Until the server's code is compiled, each request costs it twice as much. */
const WARM_UP = 5;
const PASSWORD = 'three quiet lamps';
const LIMIT_SECONDS = 1;

/** Sends a request from an address of this machine, a POST if it has a body, and returns the status of its answer. */
function send(url: string, from: string, body?: { email: string; password: string }): Promise<number> {
  const text = body ? JSON.stringify(body) : '';
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: body ? 'POST' : 'GET',
        // Each client is an address of the loopback network, and each request has a connection of its own.
        localAddress: from,
        agent: new Agent({ keepAlive: false }),
        headers: body ? headers : {},
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
      id,
      email,
      passwordHash: await hashPassword(PASSWORD),
      firstName: 'Ada',
      lastName: 'Bench',
      verifiedAt: new Date(),
    });
  return email;
}

/**
 * How long a person waits for their own sign-in while another client sends 200 at once, each for another address; and
 * how much of that is due to anything but the server's work on as many requests.
 */
export const signInBenchmark: Benchmark = {
  linuxOnly: true,
  async measure(bench) {
    const { url } = await bench.app();
    const email = await addAccount();
    const login = `${url}/api/v1/login`;

    /** Seconds that a sign-in takes behind a flood, all of whose answers must have one of these statuses. */
    async function secondsBehind(flood: Promise<number>[], expected: number[]): Promise<number> {
      const began = performance.now();
      const status = await send(login, '127.0.0.2', { email, password: PASSWORD });
      const seconds = (performance.now() - began) / 1000;
      const odd = (await Promise.all(flood)).find((answer) => !expected.includes(answer));
      if (status !== 200 || odd !== undefined) throw new Error(`Answers of ${status} and ${odd}.`);
      return seconds;
    }
    const times = (work: () => Promise<number>) => Array.from({ length: FLOOD }, work);
    let clients = 0;
    const signIns = () => {
      clients += 1;
      const from = `127.0.1.${clients}`;
      const stranger = () => ({ email: `${uuidv7()}@bench.invalid`, password: 'wrong' });
      return secondsBehind(
        times(() => send(login, from, stranger())),
        [401, 429, 503],
      );
    };
    const plain = () =>
      secondsBehind(
        times(() => send(`${url}/api/v1/check_account_status`, '127.0.0.3')),
        [401],
      );

    await interleave(WARM_UP, { signIns, plain });
    const behind = await interleave(ROUNDS, { signIns, plain });
    const about = `sign-in while another client sends ${FLOOD}`;
    return [
      measurement(about, { unit: 's', ours: behind.signIns, limit: LIMIT_SECONDS, bar: 1 }),
      measurement(`${about}, over ${FLOOD} requests that hash nothing`, {
        unit: 's',
        ours: behind.signIns,
        limit: behind.plain,
        bar: 2,
      }),
    ];
  },
};
