import { ConnectionState, connect, type WorkerConnection } from 'inngest/connect';
import { inngest } from '@/lib/clients/inngest';
import { log } from '@/lib/foundation/log';
import { activeTelemetry } from '@/lib/foundation/telemetry/active';
import { readMediaTool } from '@/lib/operations/health/media';
import { logStartupProblems } from '@/lib/operations/health/startup';
import { startTelemetry } from '@/lib/operations/health/telemetry';
import { logFfmpeg } from '@/lib/video/processing/media-tool';
import { currentProcessId } from '@/lib/video/processing/owner-process';
import { deleteReport, reportWorker } from '@/lib/video/processing/process-reports';
import { version } from '@/package.json';
import { createFunctions } from './create-functions';

/** How often a worker reports, in milliseconds. Health checks count reports of the last two minutes. */
const REPORT_MS = 30_000;

let connection: WorkerConnection | undefined;

/** Records for health checks what this worker can do. Never rejects. */
async function report(): Promise<void> {
  try {
    const isConnected = connection?.state === ConnectionState.ACTIVE;
    await reportWorker(currentProcessId(), { ...(await readMediaTool()), isConnected, version });
  } catch (error) {
    log.warn({ err: error }, 'worker: could not report');
  }
}

/** Resolves with the first signal to stop. A second one ends the process at once. */
function stopRequested(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) {
      process.on(name, () => {
        if (connection?.state === ConnectionState.CLOSING) process.exit(1);
        resolve(name);
      });
    }
  });
}

/**
 * Runs jobs for Inngest over a connection that this process opens, until it's told to stop. Then it takes no more
 * steps and finishes those that run. Inngest gives the steps of a worker that's killed to another one.
 */
export async function runWorker(): Promise<void> {
  // Node 20 has none, and Inngest expects one.
  globalThis.WebSocket ??= (await import('ws')).WebSocket as unknown as typeof globalThis.WebSocket;
  const stopped = stopRequested();
  await startTelemetry({ isServer: false });
  await report();
  const timer = setInterval(() => void report(), REPORT_MS);
  void logFfmpeg();
  void logStartupProblems();
  const client = inngest();
  const connected = connect({
    apps: [{ client, functions: createFunctions(client) }],
    instanceId: currentProcessId(),
    handleShutdownSignals: [],
    // A thread of Inngest's would lack the WebSocket that Node 20 gets above.
    isolateExecution: false,
  }).then(async (made) => {
    connection = made;
    log.info({ event: 'worker.connected' }, 'the worker is connected to the job service');
    await report();
  });
  const signal = await Promise.race([stopped, connected.then(() => stopped)]);
  log.info({ event: 'worker.stopping', signal }, 'the worker is finishing its steps before it stops');
  await connection?.close();
  clearInterval(timer);
  await deleteReport(currentProcessId()).catch(() => undefined);
  await activeTelemetry()?.flush();
  log.info({ event: 'worker.stopped' }, 'the worker has stopped');
}
