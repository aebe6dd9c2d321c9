/** Ends `npm run build` with a sentence if its tools aren't installed. The shell would only say `tsx: not found`. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const TOOLS = ['tsx', 'esbuild', 'tailwindcss', '@tailwindcss/postcss'];

const isInstalled = (name) =>
  existsSync(fileURLToPath(new URL(`../node_modules/${name}/package.json`, import.meta.url)));

if (!TOOLS.every(isInstalled)) {
  console.error(
    'Building needs the development packages, which npm leaves out with --omit=dev and where NODE_ENV is production. ' +
      'Run `npm ci --include=dev`, then `npm run build`.',
  );
  process.exit(1);
}
