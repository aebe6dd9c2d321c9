import { appendFileSync } from 'node:fs';
import { startRunner } from './server';
import { startTestApp } from './test-runner';
import { stepFunctions } from './test-steps';

/** A runner or an app for tests to kill. Usage: `test-process.ts runner|app <options as JSON>`. */
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
  const runner = await startRunner({ ...options, appUrl: () => options.appUrl });
  console.log(`ready ${runner.port}`);
} else {
  const record = (begun: unknown) => appendFileSync(options.journal, `${JSON.stringify(begun)}\n`);
  const app = await startTestApp(options.baseUrl, stepFunctions(record), { port: options.port });
  console.log(`ready ${app.port}`);
}
