import { appendFileSync, closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext } from '@playwright/test';
import type { App } from './running-app';

/** What a test expects to be reported, which then does not fail it. */
export interface ErrorWatcher {
  /** Console errors and warnings, and page errors. */
  allowConsole(pattern: RegExp): void;
  /** Errors and Node's warnings in the logs of the app and its workers, of this test and of those that run beside it from now on. */
  allowLog(pattern: RegExp): void;
  /** Watches one more browser context than the test's own. */
  observe(context: BrowserContext): void;
}

/** pino's number for "error". */
const ERROR_LEVEL = 50;

function isError(line: string): boolean {
  try {
    return JSON.parse(line).level >= ERROR_LEVEL;
  } catch {
    // Next's own report of an error that reached it, and Node's warnings.
    return line.includes('⨯') || /^\(node:\d+\) \w*Warning: /.test(line);
  }
}

function readFrom(path: string, offset: number): string {
  const size = statSync(path).size;
  if (size <= offset) return '';
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(size - offset);
    readSync(file, bytes, 0, bytes.length, offset);
    return bytes.toString();
  } finally {
    closeSync(file);
  }
}

/** Starts to watch; `problems` gives what was reported since and was not allowed. */
export function watchErrors(app: App): ErrorWatcher & { problems(): string[] } {
  const logs = ['app.log', 'workers.log'].map((name) => join(app.dataDir, 'logs', name)).filter(existsSync);
  // Shared by the workers, since they share the log.
  const allowedFile = join(app.dataDir, 'allowed-in-log');
  const before = logs.map((path) => ({ path, size: statSync(path).size }));
  const seen: string[] = [];
  // Playwright's own, where tests allow none.
  const allowed = [/^console warning: Service Worker registration blocked by Playwright/];
  const loggedErrors = () => {
    const patterns = existsSync(allowedFile)
      ? readFileSync(allowedFile, 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((source) => new RegExp(source))
      : [];
    return before
      .flatMap(({ path, size }) => readFrom(path, size).split('\n'))
      .filter((line) => isError(line) && !patterns.some((pattern) => pattern.test(line)));
  };
  return {
    allowConsole: (pattern) => void allowed.push(pattern),
    allowLog: (pattern) => appendFileSync(allowedFile, `${pattern.source}\n`),
    observe: (context) => {
      context.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) {
          seen.push(`console ${message.type()}: ${message.text()} (${message.location().url})`);
        }
      });
      context.on('weberror', (error) => seen.push(`page error: ${error.error().stack}`));
    },
    problems: () => [
      ...seen.filter((line) => !allowed.some((pattern) => pattern.test(line))),
      ...loggedErrors().map((line) => `log: ${line}`),
    ],
  };
}
