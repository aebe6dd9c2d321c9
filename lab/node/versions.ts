/** A version of Node, and of the npm that comes with it, as npm names them. */
export interface Runtime {
  node: string;
  npm: string;
}

/** The oldest supported Node, and the newest of each later major version that the packages of `node` bring. */
export const RUNTIMES: Runtime[] = [
  { node: '20.9.0', npm: '10.1.0' },
  { node: '22', npm: '10' },
  { node: '24', npm: '11' },
];

/** What came of one version: its exact numbers, and each step that ran. */
export interface Outcome extends Runtime {
  steps: Record<string, { passed: boolean; seconds: number; summary: string }>;
}

/**
 * Reads `npm run lab -- node`'s arguments: versions to run, all by default, and parts of paths of unit tests, as `npm test`
 * takes them.
 */
export function readArguments(args: readonly string[]): { runtimes: Runtime[]; parts: string[] } {
  const chosen = RUNTIMES.filter(({ node }) => args.includes(node));
  const parts = args.filter((arg) => !RUNTIMES.some(({ node }) => node === arg));
  return { runtimes: chosen.length > 0 ? chosen : RUNTIMES, parts };
}

/** Returns `npm test`'s last line, such as "12 passed, 1 skipped", or '' if the output isn't of tests. */
export function readSummary(output: string): string {
  const last = output.trimEnd().split('\n').at(-1) ?? '';
  return /\d+ (?:passed|failed)/.test(last) ? last : '';
}

const duration = (seconds: number): string =>
  seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;

/** Returns a Markdown table of versions and their steps. */
export function formatTable(outcomes: readonly Outcome[]): string {
  const names = [...new Set(outcomes.flatMap(({ steps }) => Object.keys(steps)))];
  const rows = outcomes.map(({ node, npm, steps }) => [
    node,
    npm,
    ...names.map((name) => {
      const step = steps[name];
      if (!step) return 'not run';
      return [step.passed ? 'passed' : 'failed', duration(step.seconds), step.summary]
        .filter(Boolean)
        .join(', ');
    }),
  ]);
  const lines = [['Node', 'npm', ...names], ['---', '---', ...names.map(() => '---')], ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
