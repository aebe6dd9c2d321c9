/**
 * Runs once when the server starts. Missing settings stop it here, with one message that lists them. Serverless hosts start
 * one process after another for a request or a few, so nothing that runs in the background starts there, or is even loaded.
 */
export async function register(): Promise<void> {
  // Next's own variable, which says what kind of runtime this is.
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const settings = (await import('./lib/foundation/require-env')).requireServerEnv();
    if (!settings) return;
    const { APP_URL, JOBS, NODE_ENV, OTEL_EXPORTER_OTLP_ENDPOINT, SERVERLESS } = settings;
    // next-auth would otherwise build its addresses from the Host of a request.
    // The only way to tell next-auth.
    process.env.NEXTAUTH_URL = APP_URL;
    // In development, whole errors are what the console is for.
    if (NODE_ENV === 'production') (await import('./lib/foundation/safe-console')).redactConsole();
    if (!SERVERLESS) {
      const isProduction = NODE_ENV === 'production';
      const { guardServer } = await import('./lib/api/guard-server');
      guardServer({ allowsUpgrades: !isProduction, ownsProcess: isProduction });
    }
    if (NODE_ENV === 'production') {
      (await import('./lib/foundation/telemetry/event-loop')).watchEventLoop({ isFreezable: SERVERLESS });
    }
    // It loads what health checks need.
    if (OTEL_EXPORTER_OTLP_ENDPOINT) {
      await (await import('./lib/operations/health/telemetry')).startTelemetry({ isServer: true });
    }
    if (!SERVERLESS) {
      (await import('./inngest/register')).registerJobs();
      (await import('./lib/messaging/outbox/polling')).startOutboxPolling();
      (await import('./lib/video/processing/watchdog')).startWatchdog();
      // In the background: requests don't have to wait for these.
      if (JOBS === 'serve') void (await import('./lib/video/processing/media-tool')).logFfmpeg();
      void (await import('./lib/clients/direct-upload')).logFormUploads();
      void (await import('./lib/operations/health/startup')).logStartupProblems();
    } else void (await import('./lib/operations/health/database')).logMigrationProblems();
    void (await import('./lib/account/two-factor/totp-secret')).rotateTotpSecrets();
  }
}
