/**
 * Runs a program of the build, or its source where nothing has been built: `node scripts/run.mjs doctor`, or
 * `npm run daylight -- doctor`.
 */
import { existsSync } from 'node:fs';

const PROGRAMS = ['doctor', 'users', 'videos', 'bucket', 'alert', 'migrate', 'worker'];

const [, , name = ''] = process.argv;
const built = new URL(`../.next/programs/${name}.mjs`, import.meta.url);
if (!PROGRAMS.includes(name)) {
  if (name) console.error(`There’s no program "${name}".`);
  console.error(`Choose one of: ${PROGRAMS.join(', ')}.`);
  process.exitCode = 1;
} else if (existsSync(built)) {
  await import(built.href);
} else {
  const isInstalled = await import('tsx').then(
    () => true,
    () => false,
  );
  if (isInstalled) await import(`./${name}.ts`);
  else {
    console.error(`The ${name} hasn’t been built yet. Run \`npm run build\` first.`);
    process.exitCode = 1;
  }
}
