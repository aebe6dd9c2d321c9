import { loadSettings } from './load-settings';

process.env.LOG_LEVEL = 'silent';
const args = loadSettings('alert');
// Imported later, because modules read the settings.
const { requireEnv } = await import('@/lib/foundation/require-env');
const { runAlert } = await import('@/lib/operations/operators/alert');
process.exit(
  await runAlert(args, {
    readSettings: requireEnv,
    input: process.stdin.isTTY ? null : process.stdin,
    print: (text) => console.log(text),
    warn: (text) => console.error(text),
  }),
);
