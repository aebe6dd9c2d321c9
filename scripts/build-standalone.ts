import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The tracer that Next itself uses, so that there's one idea of what a program needs. */
const { nodeFileTrace } = createRequire(import.meta.url)('next/dist/compiled/@vercel/nft') as {
  nodeFileTrace(
    files: string[],
    options: { base: string; processCwd: string },
  ): Promise<{ fileList: Set<string> }>;
};

/** Imported by the server before anything else. */
const HOLD = 'lib/foundation/http/server/hold-connections.cjs';
/** Read at run time under names that no tracer sees. */
const READ_AT_RUN_TIME = [
  '.next/static',
  '.next/programs',
  'public',
  'db/migrations',
  'scripts/run.mjs',
  HOLD,
];

/**
 * Completes `.next/standalone`, which Next fills with the server alone: adds the browser's files, the programs that run
 * beside the site, and the packages these import. The folder then runs anywhere with nothing but Node. Its server takes
 * connections once it's ready, as with `npm start`.
 * @param programs file names in `.next/programs`
 */
export async function completeStandalone(root: string, programs: string[]): Promise<void> {
  const target = join(root, '.next', 'standalone');
  const entries = programs.map((name) => join(root, '.next', 'programs', name));
  const { fileList } = await nodeFileTrace(entries, { base: root, processCwd: root });
  for (const path of [...READ_AT_RUN_TIME, ...fileList]) {
    const destination = join(target, path);
    await mkdir(dirname(destination), { recursive: true });
    await cp(join(root, path), destination, { recursive: true });
  }
  const server = join(target, 'server.js');
  const code = await readFile(server, 'utf8');
  const imported = `import './${HOLD}';\n`;
  if (!code.startsWith(imported)) await writeFile(server, imported + code);
}
