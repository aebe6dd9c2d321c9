import { type Env, env, isServerless } from './env';

/** Returns the settings, or null and writes one message if they're incomplete. */
function readSettings(): Env | null {
  try {
    return env();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return null;
  }
}

/** Returns the settings. Ends the process with one message if they're incomplete: nothing works without them. */
export const requireEnv = (): Env => readSettings() ?? process.exit(1);

/**
 * Returns the settings of a server, like {@link requireEnv}. A serverless host would start the process again with each request.
 * So there it returns null, and each request is answered with what {@link hasSettings} is for.
 */
export const requireServerEnv = (): Env | null => (isServerless() ? readSettings() : requireEnv());

/** Returns whether the settings are complete, so that a request can be answered. */
export function hasSettings(): boolean {
  try {
    return env() !== undefined;
  } catch {
    return false;
  }
}
