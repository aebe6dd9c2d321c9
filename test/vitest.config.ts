import { availableParallelism } from 'node:os';
import { dirname, relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { relatedGlobs } from './related';

/**
 * The files that take longest, longest first. Started last, one of them would keep a single worker busy after the
 * others have finished. A file that isn't here runs after these.
 */
const LONGEST = [
  'test/secret-leaks.test.ts',
  'local/up/up.test.ts',
  'local/inngest/crash-recovery.test.ts',
  'lib/video/speech/worker-pool.test.ts',
  'inngest/functions/cleanup.test.ts',
  'lib/video/processing/built-in-speech.test.ts',
  'lib/video/media/rendition.test.ts',
  'inngest/functions/recovery.test.ts',
  'lib/video/speech/live.test.ts',
  'lib/operations/health/doctor.test.ts',
  'lib/foundation/http/server/stop-on-signals.test.ts',
  'lib/video/speech/engine.test.ts',
  'lib/video/processing/step.test.ts',
  'lib/video/media/wasm.test.ts',
  'lib/video/processing/slow-speech.test.ts',
  'lib/video/media/hostile.test.ts',
  'lib/messaging/outbox/service.test.ts',
  'lib/video/media/audio.test.ts',
  'test/secret-leaks-speech.test.ts',
  'local/s3/s3.disk.test.ts',
  'lib/api/overload.test.ts',
  'lib/journal/transcripts/restored.test.ts',
  'lib/video/processing/races.test.ts',
  'test/previous-release.test.ts',
  'local/postgres/server.test.ts',
  'test/erased.test.ts',
  'inngest/functions/sweep.test.ts',
  'lib/account/registration/capacity.test.ts',
  'inngest/functions/waiting.test.ts',
  'lib/video/uploads/abandoned.test.ts',
  'db/timeouts.test.ts',
  'lib/operations/health/comparison/files.test.ts',
  'lib/video/speech/vocabulary.test.ts',
  'lib/clients/stripe.test.ts',
  'local/up/workers.test.ts',
];

const ROOT = dirname(import.meta.dirname);

/** Starts the longest test files first, and the others in vitest's own order, which remembers earlier runs. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = LONGEST.indexOf(relative(this.ctx.config.root, moduleId));
      return index < 0 ? LONGEST.length : index;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  root: ROOT,
  resolve: { alias: { '@': ROOT } },
  test: {
    include: relatedGlobs(ROOT, process.argv.slice(2)) ?? [
      '{lib,db,inngest,local,app,test,lab,components}/**/*.test.{ts,tsx}',
    ],
    globalSetup: './test/global-setup.ts',
    setupFiles: ['./test/next-environment.ts', './test/property-seed.ts'],
    env: { LOG_LEVEL: 'silent', AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
    // Many tests wait for a process, a job or a lock, so one worker a core would leave cores idle.
    // A job service knows one app of a name, and the protocol tests all have the same.
    maxWorkers: process.env['TEST_SERVICES']?.includes('jobs') ? 1 : Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: LongestFirst },
    // These end a test that hangs. They say nothing about speed: the machine may have other work.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
