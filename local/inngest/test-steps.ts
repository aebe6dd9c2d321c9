import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { childProgram } from '@/test/child-program';
import type { Functions } from './test-runner';

/** The start of a step in a journey. */
export type StepStart = { journey: number; step: number };

const STEPS = 5;

/** Returns a function with five short steps that calls `record` when each starts. */
export function stepFunctions(record: (begun: StepStart) => void): Functions {
  return (client) => [
    client.createFunction(
      { id: 'journey', retries: 20, triggers: [{ event: 'test/journey' }], concurrency: { limit: 8 } },
      async ({ event, step }) => {
        const journey = event.data['journey'] as number;
        for (let number = 0; number < STEPS; number += 1) {
          await step.run(`step ${number}`, async () => {
            record({ journey, step: number });
            await pause(15);
            return number;
          });
        }
        return journey;
      },
    ),
  ];
}

/** Returns steps that started again after a later one had started, which memoization must prevent. */
export function findRepeatedSteps(begun: StepStart[]): StepStart[] {
  const furthest = new Map<number, number>();
  return begun.filter(({ journey, step }) => {
    const before = furthest.get(journey) ?? -1;
    furthest.set(journey, Math.max(before, step));
    return step < before;
  });
}

export type ChildServer = { port: number; kill(): Promise<void> };

/** Starts the runner or an app in its own process and waits until it's ready. */
export async function spawnServer(
  role: 'runner' | 'app',
  options: Record<string, unknown>,
): Promise<ChildServer> {
  const program = await childProgram('local/inngest/test-process.ts');
  const child: ChildProcess = spawn(process.execPath, [program, role, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (!child.stdout) throw new Error('The process has no output.');
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /^ready (\d+)$/.exec(line)?.[1];
    if (!port) continue;
    child.stdout.resume();
    return {
      port: Number(port),
      async kill() {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const gone = once(child, 'exit');
        child.kill('SIGKILL');
        await gone;
      },
    };
  }
  throw new Error(`The ${role} did not start.`);
}
