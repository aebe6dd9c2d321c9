import { fileURLToPath } from 'node:url';
import { up } from '@/local/up/up';

/** Runs `up` with the platform's stand-in in place of Next's server. Its arguments: the built project, and bubblewrap. */
const serve = fileURLToPath(new URL('serve.ts', import.meta.url));
await up({ dev: false, site: [process.execPath, '--import', 'tsx', serve, ...process.argv.slice(2)] });
