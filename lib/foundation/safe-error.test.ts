import { execFile } from 'node:child_process';
import { inspect, promisify } from 'node:util';
import { S3ServiceException } from '@aws-sdk/client-s3';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { isUniqueViolation } from '@/db/errors';
import { executePrepared } from '@/db/prepared';
import { users } from '@/db/schema/accounts';
import { useFreshDatabase } from '@/test/app-database';
import { makeEntry, makeUser } from '@/test/factories';
import { redactConsole } from './safe-console';
import { describeError, safeError } from './safe-error';

const SECRET = 'what I told nobody';

let end: () => Promise<void>;

beforeAll(async () => {
  end = await useFreshDatabase();
});
afterAll(() => end());

/** Everything that any printer or serializer may take from an error. */
function allOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = Object.getOwnPropertyNames(error).map((name) => `${name}: ${Reflect.get(error, name)}`);
  return [error.name, ...own, JSON.stringify(error), error.cause ? allOf(error.cause) : ''].join('\n');
}

const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('an error of the database', () => {
  it('names the statement, the SQLSTATE and the constraint, and has no value', async () => {
    const { email, id } = await makeUser({ email: 'ada.secret@example.com' });
    const again = await failure(makeUser({ email, firstName: SECRET }));
    expect(isUniqueViolation(again)).toBe(true);
    expect(String(again)).toMatch(
      /^QueryError: A query failed \(23505, constraint users_\w+\): insert into "users"/,
    );

    const failures = [
      again,
      await failure(makeEntry(id, { title: SECRET, userId: crypto.randomUUID() })),
      await failure(db().execute(sql`select ${SECRET}::integer`)),
      await failure(executePrepared(sql`select ${SECRET}::integer as prepared`)),
      await failure(db().select().from(users).where(sql`${users.id} = ${SECRET}::uuid`)),
      await failure(
        db().select().from(users).where(sql`${SECRET}::date is null`).prepare('by-date').execute(),
      ),
      await failure(
        db().transaction(async (tx) => {
          await tx.insert(users).values({ ...(await makeUser()), firstName: SECRET });
        }),
      ),
    ];
    for (const error of failures) {
      expect(error).toMatchObject({ name: 'QueryError', code: expect.stringMatching(/^[0-9A-Z]{5}$/) });
      expect(allOf(error)).not.toMatch(/secret|nobody/i);
    }
  });

  it('has no value when the constraint is checked at the end of a transaction', async () => {
    await db().execute(sql`create table deferred (word text unique deferrable initially deferred)`);
    const error = await failure(
      db().transaction((tx) => tx.execute(sql`insert into deferred values (${SECRET}), (${SECRET})`)),
    );
    expect(error).toMatchObject({ name: 'QueryError', code: '23505' });
    expect(allOf(error)).not.toContain('nobody');
  });

  it('leaves an error that the body of a transaction throws as it is', async () => {
    const own = new RangeError('too far');
    expect(await failure(db().transaction(() => Promise.reject(own)))).toBe(own);
  });
});

/** Runs something that throws. */
function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

/** Its stack still has the message that it was made with. */
const changed = new Error(`old\n    at ${SECRET} 12:30:15\n${SECRET}`);
changed.message = 'new';

const ownStack = new Error(`one\n    at ${SECRET} (/lunch.ts:1:1)\nthree`);

describe('any other error', () => {
  it.each<[string, unknown]>([
    ['of JSON.parse', thrownBy(() => JSON.parse(`${SECRET} {`))],
    [
      'of zod, with the input',
      thrownBy(() =>
        z.strictObject({ a: z.literal('b') }).parse({ [SECRET]: 1, a: SECRET }, { reportInput: true }),
      ),
    ],
    [
      'of a property that is missing',
      thrownBy(
        () => (({}) as Record<string, { x: 1 }>)[SECRET]?.x.toFixed() ?? Reflect.get(null as never, SECRET),
      ),
    ],
    ['of an address', thrownBy(() => new URL(`http://${SECRET}:x`))],
    [
      'of S3',
      Object.assign(
        new S3ServiceException({
          name: 'AccessDenied',
          $fault: 'client',
          message: SECRET,
          $metadata: { httpStatusCode: 403 },
        }),
        { Key: SECRET },
      ),
    ],
    [
      'of Stripe',
      Object.assign(new Error(`Invalid email address: ${SECRET}`), {
        type: 'x',
        raw: SECRET,
        statusCode: 400,
        code: 'email_invalid',
      }),
    ],
    ['with lines like frames', ownStack],
    ['whose message was changed', changed],
    ['with a cause', new Error('outer', { cause: new Error(SECRET, { cause: SECRET }) })],
    ['with a code and a name', Object.assign(new Error('x'), { code: SECRET, name: SECRET })],
    ['of several', new AggregateError([new Error(SECRET)], SECRET)],
    ['that is a string', SECRET],
    ['that is an object', { message: SECRET }],
  ])('is told without its text: one %s', (_kind, error) => {
    expect(JSON.stringify(describeError(error))).not.toContain('nobody');
    expect(allOf(safeError(error))).not.toContain('nobody');
    expect(allOf(safeError(safeError(error)))).not.toContain('nobody');
  });

  it.each([
    [[{ code: 'invalid_type', path: ['words', 3, 'start'] }], 'invalid_type at words.3.start'],
    [[{ code: 'custom', path: [SECRET] }, null], 'custom at ?, issue at the top'],
    [[{ code: SECRET }, { path: SECRET }], 'issue at the top, issue at the top'],
  ])('says where a value doesn’t fit (%#)', (issues, message) => {
    expect(describeError(Object.assign(new Error(SECRET), { issues })).message).toBe(message);
  });

  it('keeps its name, code, status and place', () => {
    const s3 = new S3ServiceException({
      name: 'SlowDown',
      $fault: 'server',
      message: SECRET,
      $metadata: { httpStatusCode: 503 },
    });
    expect(describeError(s3)).toMatchObject({ name: 'SlowDown', status: 503 });
    const away = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:5432'), { code: 'ECONNREFUSED' });
    expect(describeError(away)).toMatchObject({ message: 'connect ECONNREFUSED', code: 'ECONNREFUSED' });
    expect(describeError(new Error('x'))).not.toHaveProperty('code', expect.anything());
    expect(describeError(Object.assign(new Error('x'), { code: ['E'] }))).not.toHaveProperty('code', ['E']);
    expect(describeError(away).stack).toMatch(/^\s+at .*safe-error\.test\.ts:\d+:\d+/);
    const misfit = thrownBy(() => z.object({ words: z.array(z.number()) }).parse({ words: [1, SECRET] }));
    expect(describeError(misfit).message).toBe('invalid_type at words.1');
    const inner = [
      new Error('x').stack,
      '    at async Promise.all (index 0)',
      '    at f ([eval]:2:200)',
    ].join('\n');
    const many = Object.assign(new Error('x'), { stack: inner });
    expect(describeError(many).stack).toMatch(/safe-error\.test\.ts/);
    expect(describeError(new Error('Inngest API Error: 422 {"a":"b"}')).message).toBe(
      'Inngest API Error: 422',
    );
  });
});

/** Runs a module of its own with the console guarded, and returns all that it printed. */
async function printedBy(code: string): Promise<string> {
  const script = `import { redactConsole } from './lib/foundation/safe-console'; import { log } from './lib/foundation/log';\n${code}`;
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', script],
    { env: { ...process.env, LOG_LEVEL: 'trace' } },
  );
  return `${stdout}\n${stderr}`;
}

const ERROR = `const cause = Object.assign(new Error('the cause: ${SECRET}'), { params: ['${SECRET}'] });
  const error = Object.assign(new TypeError('outer: ${SECRET}', { cause }), { digest: '123456', query: '${SECRET}' });`;

describe('what is printed', () => {
  it('by the console, has names, frames and digests of errors', async () => {
    const printed = await printedBy(`${ERROR} redactConsole();
      console.error(' ⨯', error); console.error(error); console.log({ error }); console.warn('%s', error);
      console.log(null, undefined, 'and nothing else');`);
    expect(printed).toContain('null undefined and nothing else');
    expect(printed).toContain('⨯');
    expect(printed).toContain('TypeError');
    expect(printed).toContain("digest: '123456'");
    expect(printed).not.toContain('nobody');
  });

  it('by the console of this process, has them, too', () => {
    const printed: unknown[] = [];
    const { error } = console;
    const methods = { ...console };
    console.error = (...values) => printed.push(...values);
    redactConsole();
    const cause = Object.assign(new Error(SECRET), { params: [SECRET] });
    const failure = Object.assign(new TypeError(SECRET, { cause }), { digest: '123456', query: SECRET });
    console.error(failure, { failure, n: 1 }, null);
    Object.assign(console, methods);
    expect(console.error).toBe(error);
    const [bare, held, nothing] = printed;
    expect(bare).toMatchObject({ name: 'TypeError', digest: '123456' });
    expect(held).toMatchObject({ n: 1, failure: { name: 'TypeError', digest: '123456' } });
    expect(nothing).toBeNull();
    expect(inspect(printed, { depth: 9 })).not.toContain(SECRET);
  });

  it('by the log, has names and frames of errors under any key and of bare ones', async () => {
    const printed = await printedBy(`${ERROR}
      log.error({ err: error }, 'one'); log.warn({ error, detail: 'two' }); log.error(error); log.info(error, 'three');
      log.info('four %s', error); log.child({ part: 'child' }).error({ err: error }, 'five');`);
    const lines = printed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(6);
    expect(lines[0]).toMatchObject({ msg: 'one', err: { name: 'TypeError', cause: { name: 'Error' } } });
    expect(lines[1]).toMatchObject({ detail: 'two', error: { name: 'TypeError' } });
    expect(lines[2]).toMatchObject({ err: { name: 'TypeError' } });
    expect(lines[3]).toMatchObject({ msg: 'three', err: { name: 'TypeError' } });
    expect(printed).not.toContain('nobody');
  });
});
