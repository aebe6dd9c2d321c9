import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { projectRoot } from '@/local/up/data-dir';
import { ATTACK_NAMES, type AttackPlan, heardWords } from './attacks';
import type { Benchmark } from './bench';
import { type Measurement, measurement, quantile } from './measurements';
import { type RequestTarget, refererOf } from './requests';
import { seedAccount, seedEntry } from './seed';

const SECONDS = 10;
/** How long an attack goes on before it counts, while its connections are opened and V8 compiles what it uses. */
const WARM_UP_MS = 2000;
/** A person asks for something this often, in milliseconds. */
const PACE_MS = 50;
/** How much longer than at an idle site a person may wait, in milliseconds. */
const DELAY_MS = 100;

interface Answer {
  status: number;
  ms: number;
}

/** Asks once, and reads the whole answer. Its status is 0 if the connection breaks. */
function ask({ url, cookie, client }: RequestTarget, agent: Agent): Promise<Answer> {
  const began = performance.now();
  const headers = {
    referer: refererOf(url),
    ...(cookie && { cookie }),
    ...(client && { 'x-forwarded-for': client }),
  };
  return new Promise((resolve) => {
    const answer = (status: number) => resolve({ status, ms: performance.now() - began });
    get(url, { agent, headers }, (response) => {
      response.once('end', () => answer(response.statusCode ?? 0)).once('error', () => answer(0));
      response.resume();
    }).once('error', () => answer(0));
  });
}

/** Asks for each target in turn, at a person's pace, until it's time to stop. */
async function visit(targets: RequestTarget[], isOver: () => boolean): Promise<Answer[][]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const answers: Answer[][] = targets.map(() => []);
  while (!isOver()) {
    for (const [index, target] of targets.entries()) {
      answers[index]?.push(await ask(target, agent));
      await delay(PACE_MS);
    }
  }
  agent.destroy();
  return answers;
}

const during = (ms: number) => {
  const end = performance.now() + ms;
  return () => performance.now() > end;
};

/** Starts an attack, and waits until it's under way. */
async function startAttack(plan: AttackPlan): Promise<ChildProcess> {
  const script = ['--import', 'tsx', 'lab/bench/attack-process.ts', JSON.stringify(plan)];
  const child = spawn(process.execPath, script, { cwd: projectRoot, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'readable');
  await delay(WARM_UP_MS);
  return child;
}

/** What a person waits for who uses the site while a stranger or another member attacks it. */
export const attackBenchmark: Benchmark = {
  linuxOnly: false,
  async measure(bench) {
    const app = await bench.app();
    const { entryId, cookie } = await bench.journal();
    const attacker = await seedAccount();
    const words = heardWords().map((word, index) => [word, index / 100, index / 100] as const);
    const plan = {
      url: app.url,
      seconds: SECONDS,
      client: '198.51.100.66',
      entryId: await seedEntry(attacker.userId, {
        title: 'Words that are slow to compare',
        date: '2026-01-01',
        seconds: 7200,
        words: words.map((word) => [...word]),
      }),
    };
    const person = { cookie: await cookie(), client: '198.51.100.1' };
    const names = ['GET /journals', 'GET /entry/:id'];
    const targets = ['/journals', `/api/v1/entry/${entryId}`].map((path) => ({
      url: `${app.url}${path}`,
      ...person,
    }));
    await visit(targets, during(WARM_UP_MS * 2));
    const idle = await visit(targets, during(SECONDS * 1000));
    const p95 = (answers: Answer[] = []) =>
      quantile(
        answers.map(({ ms }) => ms),
        0.95,
      );
    const figures: Measurement[] = [];
    for (const attack of ATTACK_NAMES) {
      const child = await startAttack({ ...plan, attack, cookie: await attacker.cookie() });
      const output = child.stdout ? text(child.stdout) : Promise.resolve('');
      const answers = await visit(targets, () => child.exitCode !== null || child.signalCode !== null);
      if (child.exitCode !== 0) throw new Error(`The attack failed: ${attack}.`);
      console.log(`  ${attack}: the attacker got ${(await output).replace('attacking', '').trim()}`);
      for (const [index, name] of names.entries()) {
        figures.push(
          measurement(`${name} during ${attack}, p95`, {
            unit: 'ms',
            ours: p95(answers[index]),
            limit: p95(idle[index]) + DELAY_MS,
            bar: 1,
          }),
        );
      }
      const refused = answers.flat().filter(({ status }) => status !== 200);
      figures.push(
        measurement(`refused during ${attack}`, { unit: 'answers', ours: refused.length, limit: 1, bar: 0 }),
      );
    }
    return figures;
  },
};
