import { type Env, env } from './env';

/** Returns the settings. Ends the process with one message if they're incomplete: nothing works without them. */
export function requireEnv(): Env {
  try {
    return env();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}
