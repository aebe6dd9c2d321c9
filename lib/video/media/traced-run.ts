import { stat } from 'node:fs/promises';
import { activeTelemetry } from '@/lib/foundation/telemetry/active';
import type { FfmpegResult, FfmpegRun } from './ffmpeg-run';

const sizeOf = (path: string | undefined): Promise<number | undefined> =>
  path === undefined
    ? Promise.resolve(undefined)
    : stat(path).then(
        ({ size }) => size,
        () => undefined,
      );

/** Returns how a run ended, as a metric says it. */
function outcomeOf({ code, timedOut }: FfmpegResult): string {
  if (timedOut) return 'timed_out';
  return code === 0 ? 'done' : 'failed';
}

/** Runs ffmpeg or ffprobe in a span with its sizes and its end; what it's for is its parent, the step of a job. */
export async function tracedRun(run: FfmpegRun, start: () => Promise<FfmpegResult>): Promise<FfmpegResult> {
  const telemetry = activeTelemetry();
  if (!telemetry) return start();
  const program = { 'process.executable.name': run.kind };
  const bytesIn = await sizeOf(run.input.path);
  const started = performance.now();
  let outcome = 'failed';
  try {
    return await telemetry.traced(
      run.kind,
      async () => {
        const result = await start();
        outcome = outcomeOf(result);
        return { ...result, bytesOut: await sizeOf(run.output?.path) };
      },
      {
        attributes: { ...program, 'daylight.bytes.in': bytesIn },
        describe: ({ code, timedOut, bytesOut }) => ({
          'process.exit.code': code ?? undefined,
          'daylight.timed_out': timedOut,
          'daylight.bytes.out': bytesOut,
        }),
      },
    );
  } finally {
    const seconds = (performance.now() - started) / 1000;
    telemetry.record('daylight.ffmpeg.duration', seconds, { ...program, 'daylight.outcome': outcome });
  }
}
