import { appendFileSync } from 'node:fs';

/**
 * A runner or an app for tests to kill. Usage: `test-process.ts runner|app <options as JSON>`. Each role imports only
 * what it needs: tests start dozens of them, and the SDK takes a second to load.
 */
const [role, text = '{}'] = process.argv.slice(2);
const options = JSON.parse(text) as {
  databaseUrl: string;
  schema: string;
  appUrl: string;
  eventKey: string;
  signingKey: string;
  port?: number;
  baseUrl: string;
  journal: string;
};

if (role === 'runner') {
  const { startRunner } = await import('./server');
  const runner = await startRunner({ ...options, appUrl: () => options.appUrl });
  console.log(`ready ${runner.port}`);
} else {
  const { startTestApp } = await import('./test-runner');
  const { stepFunctions } = await import('./test-steps');
  const record = (begun: unknown) => appendFileSync(options.journal, `${JSON.stringify(begun)}\n`);
  const app = await startTestApp(options.baseUrl, stepFunctions(record), { port: options.port });
  console.log(`ready ${app.port}`);
}
