import { relative } from 'node:path';
import type { CliOptions, TestSpecification, Vite } from 'vitest/node';
import { createVitest } from 'vitest/node';
import { projectRoot } from '@/local/up/data-dir';

/** A test file, and what came of it. */
export interface FileOutcome {
  file: string;
  passed: boolean;
  /** How long it took with its imports, in milliseconds. */
  ms: number;
  /** The first test that failed, with what it says; null if none did. */
  failure: string | null;
}

/** Changes the text of a file of the project before anything else reads it. */
export type Rewrite = (path: string, text: string) => string;

/**
 * Starts vitest with the project's configuration and rewritten sources, for any number of runs.
 * @param options what to change in the configuration
 */
export async function startTests(rewrite: Rewrite, options: CliOptions) {
  const plugin: Vite.Plugin = {
    name: 'daylight-rewrite',
    enforce: 'pre',
    transform: (text, id) => {
      const path = relative(projectRoot, id.split('?')[0] ?? id);
      return path.startsWith('..') ? undefined : { code: rewrite(path, text), map: null };
    },
  };
  // As vitest's own command does.
  Object.assign(process.env, { NODE_ENV: process.env.NODE_ENV ?? 'test' });
  const vitest = await createVitest(
    'test',
    {
      config: 'test/vitest.config.ts',
      watch: false,
      reporters: [{}],
      onConsoleLog: () => false,
      ...options,
    },
    { plugins: [plugin] },
  );
  const known = await vitest.globTestSpecifications();

  return {
    /** All test files, relative to the project's root. */
    files: known.map(({ moduleId }) => relative(projectRoot, moduleId)),
    /** Forgets what was read of a file, so that it's rewritten again. */
    forget: (path: string) => vitest.invalidateFile(`${projectRoot}/${path}`),
    /** Runs test files in the order given. */
    async run(files: readonly string[]): Promise<FileOutcome[]> {
      const wanted = files
        .map((file) => known.find(({ moduleId }) => relative(projectRoot, moduleId) === file))
        .filter((found): found is TestSpecification => found !== undefined);
      vitest.state.filesMap.clear();
      const { testModules } = await vitest.runTestSpecifications(wanted);
      return testModules.map((module) => {
        const { duration, collectDuration, setupDuration, prepareDuration } = module.diagnostic();
        const failed = [...module.children.allTests('failed')][0];
        const error = failed?.result().errors?.[0] ?? module.errors()[0];
        const passed = module.ok() && module.errors().length === 0;
        const name = failed?.fullName ?? 'the file itself';
        return {
          file: relative(projectRoot, module.moduleId),
          passed,
          ms: Math.round(duration + collectDuration + setupDuration + prepareDuration),
          failure: passed ? null : `${name}: ${String(error?.message).split('\n')[0]?.slice(0, 160)}`,
        };
      });
    },
    close: () => vitest.close(),
  };
}
