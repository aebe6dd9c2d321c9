import nextEnv from '@next/env';

/** Reads `.env` and its like, as `next start` does. Variables that are set already win. */
export function loadSettings(): void {
  const silent = { info: () => undefined, error: () => undefined };
  nextEnv.loadEnvConfig(process.cwd(), process.env.NODE_ENV === 'development', silent);
}
