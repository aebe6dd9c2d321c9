import nextEnv from '@next/env';

/** Sets up the environment as `next start` does, with `.env` and its like. Variables that are set already win. */
export function loadSettings(): void {
  Object.assign(process.env, {
    NODE_ENV: process.env.NODE_ENV ?? 'production',
    // It would print several lines that aren't JSON.
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  });
  const silent = { info: () => undefined, error: () => undefined };
  nextEnv.loadEnvConfig(process.cwd(), process.env.NODE_ENV === 'development', silent);
}
