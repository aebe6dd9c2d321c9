import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import postgres from 'postgres';
import { type Runner, startRunner } from '@/local/inngest/server';
import { EVENT_KEY, SIGNING_KEY, waitUntil } from '@/local/inngest/test-runner';
import { childProgram } from '@/test/child-program';
import { startOtlpSink } from '@/test/otlp-sink';
import { startLocalServices } from '@/test/services';
import { allCanaries } from './canaries';
import { startHttpServer, startProxy } from './proxy';
import type { ResponseHandler } from './responses';

/** What is broken at the moment. */
interface Faults {
  /** Whether storage refuses a request. */
  storage: (method: string, key: string) => boolean;
  speech: ResponseHandler;
  /** How many of the next events the job service refuses. */
  events: number;
}

const SCHEMA = 'canary_jobs';

/** Puts scripts in front of ffmpeg and ffprobe that fail, quoting all phrases, while the returned file exists. */
async function wrapFfmpeg(folder: string): Promise<{ flag: string; ffmpeg: string }> {
  const flag = path.join(folder, 'broken');
  for (const name of ['ffmpeg', 'ffprobe']) {
    const script = `#!/bin/sh\nPATH="${process.env.PATH}"\nif [ -e "${flag}" ] && [ "$1" != -version ]; then echo "${allCanaries}" >&2; exit 1; fi\nPATH="\${PATH#${folder}:}" exec ${name} "$@"\n`;
    await writeFile(path.join(folder, name), script);
    await chmod(path.join(folder, name), 0o755);
  }
  return { flag, ffmpeg: path.join(folder, 'ffmpeg') };
}

async function startApp(
  env: Record<string, string | undefined>,
): Promise<{ child: ChildProcess; url: string; output: () => string }> {
  const child = spawn(process.execPath, [await childProgram('test/leaks/app.ts')], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  const port = await waitUntil('the app', () => {
    if (child.exitCode !== null) throw new Error(`The app ended:\n${output}`);
    return /^ready (\d+)$/m.exec(output)?.[1];
  });
  return { child, url: `http://127.0.0.1:${port}`, output: () => output };
}

/**
 * Starts the real functions behind real HTTP with the local job service, and records all that the two exchange. Storage,
 * the speech service, ffmpeg, the database and the job service's event API can be made to fail, quoting every phrase.
 * @param engine what transcribes
 * @param startMore starts more local services with their data in a folder, and returns the settings that point to them
 */
export async function startLeakFixture(
  engine: 'speech service' | 'built-in',
  startMore: (folder: string) => Promise<Record<string, string>> = async () => ({}),
) {
  const services = await startLocalServices();
  Object.assign(process.env, await startMore(services.folder('')));
  const storageUrl = process.env.S3_ENDPOINT ?? '';
  const exchanges: string[] = [];
  const onExchange = (text: string) => exchanges.push(text);
  const faults: Faults = { storage: () => false, speech: () => {}, events: 0 };
  const hits = { storage: 0, speech: 0, events: 0 };

  const storage = await startProxy(() => storageUrl, {
    answerItself: (incoming, outgoing) => {
      const key = new URL(incoming.url ?? '/', storageUrl).pathname;
      if (!faults.storage(incoming.method ?? '', key)) return false;
      hits.storage += 1;
      const error = `<Error><Code>InvalidRange</Code><Message>${allCanaries}</Message></Error>`;
      outgoing.writeHead(416, { 'content-type': 'application/xml' }).end(error);
      return true;
    },
  });
  const speech = await startHttpServer((incoming, _body, outgoing) => {
    hits.speech += 1;
    faults.speech(incoming, outgoing);
  });

  let runner: Runner | undefined;
  let appUrl = 'http://127.0.0.1:9';
  const toRunner = await startProxy(() => runner?.url ?? appUrl, {
    onExchange,
    answerItself: (incoming, outgoing) => {
      if (faults.events === 0 || !incoming.url?.startsWith('/e/')) return false;
      faults.events -= 1;
      hits.events += 1;
      outgoing.writeHead(422).end(allCanaries);
      return true;
    },
  });
  // What the test sends itself is never refused.
  const fromTest = await startProxy(() => runner?.url ?? appUrl, { onExchange });
  const toApp = await startProxy(() => appUrl, { onExchange });

  const sink = await startOtlpSink();
  const folder = services.folder('canary');
  await mkdir(folder, { recursive: true });
  const { flag, ffmpeg } = await wrapFfmpeg(folder);
  Object.assign(process.env, {
    INNGEST_BASE_URL: fromTest.url,
    INNGEST_EVENT_KEY: EVENT_KEY,
    INNGEST_SIGNING_KEY: SIGNING_KEY,
  });
  const app = await startApp({
    INNGEST_BASE_URL: toRunner.url,
    S3_ENDPOINT: storage.url,
    SPEECH_BASE_URL: engine === 'built-in' ? undefined : speech.url,
    INNGEST_SERVE_ORIGIN: toApp.url,
    FFMPEG_PATH: ffmpeg,
    FFMPEG_SANDBOX: 'off',
    LOG_LEVEL: 'trace',
    OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
    TMPDIR: folder,
  });
  appUrl = app.url;

  let offset = 0;
  const runnerLog: string[] = [];
  runner = await startRunner({
    databaseUrl: services.databaseUrl,
    schema: SCHEMA,
    appUrl: () => `${toApp.url}/api/inngest`,
    eventKey: EVENT_KEY,
    signingKey: SIGNING_KEY,
    log: (line) => runnerLog.push(JSON.stringify(line)),
    now: () => Date.now() + offset,
  });
  await runner.sync();
  const sql = postgres(services.databaseUrl, { max: 2, onnotice: () => {} });

  /**
   * Moves the job service's clock to whatever is next, until all runs that an entry has caused have ended. A purge's are
   * deleted then.
   */
  async function runsEnded(entryId: string): Promise<void> {
    const about = `%${entryId}%`;
    await waitUntil(
      'the end of the runs',
      async () => {
        const [state] = await sql<{ unrouted: number; open: number; busy: number; next: number | null }[]>`
          select (select count(*)::int from ${sql(SCHEMA)}.events where not routed)
              + (select count(*)::int from outbox where payload like ${about}
                and (due_at <= now() or attempts > 0)) as unrouted,
            count(distinct r.id) filter (where r.ended_at is null)::int as open,
            count(q.lease)::int as busy, min(q.available_at) as next
          from ${sql(SCHEMA)}.runs r left join ${sql(SCHEMA)}.queue q on q.run_id = r.id
          where r.event like ${about}`;
        if (!state || state.unrouted > 0) return false;
        if (state.open === 0) return true;
        if (state.busy === 0 && state.next !== null && state.next > Date.now() + offset) {
          offset = state.next - Date.now() + 1;
          runner?.wake();
        }
        return false;
      },
      150_000,
    );
  }

  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= (async () => {
      await runner?.close();
      app.child.kill('SIGTERM');
      if (app.child.exitCode === null && app.child.signalCode === null) await once(app.child, 'close');
    })();
    return stopped;
  };

  return {
    sql,
    /** The folder with the data of the local services, but for the database. */
    folder: services.folder(''),
    /** Moves the job service's clock. */
    advance(ms: number) {
      offset += ms;
      runner?.wake();
    },
    faults,
    hits,
    runsEnded,
    breakFfmpeg: () => writeFile(flag, ''),
    mendFfmpeg: () => rm(flag, { force: true }),
    /** Stops the app and the job service, then returns everything they exchanged, stored and logged, as text. */
    async stopAndCollect() {
      await stop();
      const kept: unknown[] = [];
      for (const table of ['events', 'runs', 'steps', 'queue']) {
        kept.push(...(await sql`select * from ${sql(SCHEMA)}.${sql(table)}`));
      }
      return {
        exchanges: exchanges.join('\n'),
        kept: kept.map((row) => JSON.stringify(row)).join('\n'),
        /** Everything that was exported, and the names of its spans. */
        exported: readFileSync(sink.path, 'utf8'),
        spanNames: new Set(sink.spans().map(({ name }) => name)),
        logs: [app.output(), ...runnerLog].join('\n'),
      };
    },
    /** Ends everything, whether or not the records were collected. */
    async end() {
      await stop();
      await sql.end();
      await sink.stop();
      await Promise.all([storage, speech, toRunner, fromTest, toApp].map((proxy) => proxy.close()));
      const { db } = await import('@/db/client');
      await db().$client.end();
      await services.end();
    },
  };
}

export type LeakFixture = Awaited<ReturnType<typeof startLeakFixture>>;
