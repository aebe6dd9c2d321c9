import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { newIpAddress } from '@/e2e/client';
import type { Operation } from '@/lib/foundation/contract/operation';
import { inputNames } from '@/test/fuzz/messages';
import { type FuzzRequest, type ValidInput, validRequest } from '@/test/fuzz/request-builder';
import type { WireRequest } from '@/test/fuzz/request-parser';
import { optionalNames } from '@/test/fuzz/schema-walker';
import { operationProblems } from './response-problems';
import type { SeededAccount } from './seeded-account';
import { sendWireRequest, type WireResponse } from './wire';

/** Returns whether the account makes more changes a second than it may, which ends after a second. */
const isOneTooMany = ({ status, headers }: WireResponse) => status === 429 && headers['retry-after'] === '1';

/**
 * Sends requests as one account, or as nobody. Each comes from another client, so that no limit of tries ends it, and is
 * sent again when the account has made too many changes.
 */
export function createSender(site: string, world?: SeededAccount) {
  const send = (request: WireRequest): Promise<WireResponse> => {
    const cookie = [...(world?.api.cookies ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
    const { cookie: own, ...headers } = request.headers;
    return sendWireRequest(site, {
      ...request,
      headers: {
        referer: `${site}/`,
        'x-forwarded-for': newIpAddress(),
        ...(cookie || own ? { cookie: [own, cookie].filter(Boolean).join('; ') } : {}),
        ...headers,
      },
    });
  };
  return async (request: WireRequest): Promise<WireResponse> => {
    let answer = await send(request);
    while (isOneTooMany(answer)) {
      await delay(1000);
      answer = await send(request);
    }
    return answer;
  };
}

/** Failures that a removed row, a spent quota or an ended session explain. */
const STATE_DEPENDENT_STATUSES = [401, 403, 404, 409, 429];

const sampleHints = (world: SeededAccount, email: string) => ({
  email,
  currentPassword: world.password,
  password: world.password,
  newPassword: 'a lamp, a boat and rain',
  content_type: 'video/mp4',
  gender: 'female',
  dateOfBirth: '1990-12-10',
  planId: 'basic',
});

/** Ways to choose among the optional inputs: none, each alone, all. */
function optionalInputSets(operation: Operation): ReadonlySet<string>[] {
  const names = optionalNames(operation);
  return [new Set<string>(), ...names.map((name) => new Set([name])), new Set(names)];
}

/** Every way to give each of the path's parameters a value that it may be meant for. */
function candidateParams(operation: Operation, world: SeededAccount): Record<string, string>[] {
  const names = [...operation.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');
  return names.reduce<Record<string, string>[]>(
    (all, name) => {
      const others = [world.userCode, ...world.tokens, 'google', 'github', '0'];
      const values = /^(id|.*Id)$/.test(name) ? world.ids() : others;
      return all.flatMap((one) => values.map((value) => ({ ...one, [name]: value })));
    },
    [{}],
  );
}

function* candidateInputs(operation: Operation, world: SeededAccount): Generator<ValidInput> {
  const hasId = JSON.stringify(
    validRequest(operation, { hints: {}, params: {}, chosen: new Set() }),
  ).includes('0190a0b0-');
  const hasEmail = [...inputNames(operation)].includes('email');
  for (const email of [world.email, ...(hasEmail ? [`${randomUUID()}@example.com`] : [])]) {
    for (const chosen of optionalInputSets(operation)) {
      for (const params of candidateParams(operation, world)) {
        for (const id of hasId ? world.ids() : [undefined]) {
          yield { hints: { ...sampleHints(world, email), uuid: id }, params, chosen };
        }
      }
    }
  }
}

/** How far a request with only good values gets: the further, the more of the operation the hostile ones reach. */
function scoreResponse({ status }: WireResponse): number {
  if (status < 400) return 5;
  if (status === 409 || status === 415) return 4;
  if (status === 400) return 3;
  return status === 404 ? 1 : 2;
}

/** Finds good values for an operation by asking: those with which it succeeds, or gets furthest. */
export async function findValidInput(
  operation: Operation,
  site: string,
  world: SeededAccount,
): Promise<{ base: ValidInput; status: number }> {
  const send = createSender(site, world);
  let best: { base: ValidInput; status: number; reach: number } | undefined;
  for (const base of candidateInputs(operation, world)) {
    const answer = await send(validRequest(operation, base));
    const reached = scoreResponse(answer);
    if (reached > (best?.reach ?? 0)) best = { base, status: answer.status, reach: reached };
    if (reached === 5) break;
  }
  await world.restore();
  if (!best) throw new Error('There are no values to send.');
  return best;
}

const CONCURRENCY = 6;

/**
 * Sends hostile requests to an operation and tells what's wrong with each answer. What earlier requests have changed
 * is put back when it may be the reason for a refusal, and the request is sent once more.
 */
export async function fuzzOperation(
  operation: Operation,
  requests: readonly FuzzRequest[],
  site: string,
  world: SeededAccount | undefined,
  report: (request: FuzzRequest, problems: string[]) => void,
): Promise<void> {
  const send = createSender(site, world);
  const changes = operation.method !== 'GET' || operation.changesState === true;
  let isChanged = false;
  const ask = async (request: FuzzRequest) => {
    let answer = await send(request);
    if (
      world &&
      isChanged &&
      STATE_DEPENDENT_STATUSES.includes(answer.status) &&
      !request.input.startsWith('params')
    ) {
      await world.restore();
      isChanged = false;
      answer = await send(request);
    }
    if (changes && answer.status < 400) isChanged = true;
    report(request, operationProblems(operation, answer));
  };
  const together = requests.filter(({ isAccepted }) => !changes || isAccepted === false);
  for (let start = 0; start < together.length; start += CONCURRENCY) {
    await Promise.all(together.slice(start, start + CONCURRENCY).map(ask));
  }
  // One at a time, as each may change what the next one finds.
  for (const request of requests) if (!together.includes(request)) await ask(request);
}
