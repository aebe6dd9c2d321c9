import { applyMutant } from './catalog';
import type { Mutant } from './mutant';
import { startTests } from './test-process';

// Shows mutants to their tests, one after the other, for as long as its parent sends some.

export interface Task {
  mutant: Mutant;
  tests: string[];
}

/** What a process sends to its parent: that it's ready, or what became of the mutant. */
export type Answer = { ready: true } | { noticedBy: string | null };

let active: Mutant | undefined;
const tests = await startTests(
  (path, text) => (active && path === active.file ? applyMutant(active, text) : text),
  { maxWorkers: 1, bail: 1, testTimeout: 60_000, hookTimeout: 60_000 },
);

/** @returns the test that failed, or null if all passed */
async function show({ mutant, tests: files }: Task): Promise<string | null> {
  if (active) tests.forget(active.file);
  active = mutant;
  tests.forget(mutant.file);
  for (const file of files) {
    const [outcome] = await tests.run([file]);
    if (!outcome?.passed) return `${file}: ${outcome?.failure ?? 'it didn’t run'}`;
  }
  return null;
}

const send = (answer: Answer) => process.send?.(answer);

process.on('message', (task: Task) => {
  show(task).then(
    (noticedBy) => send({ noticedBy }),
    (error: unknown) => send({ noticedBy: `the run itself: ${String(error)}` }),
  );
});
process.once('disconnect', () => tests.close().finally(() => process.exit()));
send({ ready: true });
