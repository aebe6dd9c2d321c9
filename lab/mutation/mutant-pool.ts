import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from '@/local/up/data-dir';
import type { Answer, Task } from './mutant-process';

/** How long a mutant's tests may take. Some mutants never end. Milliseconds. */
const TIMEOUT_MS = 6 * 60_000;

const start = (): ChildProcess =>
  fork(join(projectRoot, 'lab/mutation/mutant-process.ts'), {
    cwd: projectRoot,
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // It leads a group of its own, so that its tests end with it.
    detached: true,
  });

const kill = ({ pid }: ChildProcess): void => {
  try {
    if (pid) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
};

/** Resolves to the next answer of a process; null if it ends before, or takes too long. */
function nextAnswer(child: ChildProcess): Promise<Answer | null> {
  return new Promise((resolve) => {
    const end = (answer: Answer | null) => {
      clearTimeout(timer);
      child.off('message', end).off('exit', onExit);
      resolve(answer);
    };
    const onExit = () => end(null);
    const timer = setTimeout(onExit, TIMEOUT_MS);
    child.once('message', end).once('exit', onExit);
  });
}

/**
 * Shows mutants to their tests in several processes, each with a database server of its own.
 * @param onEnd told of each mutant when its tests have ended: the test that failed, or null
 */
export async function runTasks(
  tasks: readonly Task[],
  processes: number,
  onEnd: (task: Task, noticedBy: string | null) => void,
): Promise<void> {
  const queue = [...tasks];
  const children = new Set<ChildProcess>();
  const stop = () => children.forEach(kill);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      stop();
      process.exit(1);
    });
  }
  const work = async (): Promise<void> => {
    let child: ChildProcess | undefined;
    for (let task = queue.shift(); task; task = queue.shift()) {
      if (task.tests.length === 0) {
        onEnd(task, null);
        continue;
      }
      if (!child) {
        child = start();
        children.add(child);
        if (!(await nextAnswer(child))) throw new Error('A process for tests didn’t start.');
      }
      child.send(task);
      const answer = await nextAnswer(child);
      if (answer && 'noticedBy' in answer) onEnd(task, answer.noticedBy);
      else {
        onEnd(task, 'the tests didn’t end');
        kill(child);
        child = undefined;
      }
    }
    child?.disconnect();
  };
  try {
    await Promise.all(Array.from({ length: processes }, work));
  } catch (error) {
    stop();
    throw error;
  }
}
