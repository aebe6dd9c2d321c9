import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { '@': import.meta.dirname } },
  test: {
    include: ['{lib,db,inngest,local,app,test,components}/**/*.test.{ts,tsx}'],
    globalSetup: './test/global-setup.ts',
    setupFiles: './test/property-seed.ts',
    env: { LOG_LEVEL: 'silent', AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
    maxWorkers: 2,
    // For what hangs, and no measure of speed: the machine may have other work.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
