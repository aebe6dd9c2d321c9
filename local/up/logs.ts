import { closeSync, existsSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';

/** A log file is rotated when it reaches this size, and this many older files are kept. */
const MAX_LOG_BYTES = 10e6;
const MAX_ROTATED_FILES = 5;

function rotate(path: string): void {
  for (let age = MAX_ROTATED_FILES - 1; age >= 1; age -= 1) {
    if (existsSync(`${path}.${age}`)) renameSync(`${path}.${age}`, `${path}.${age + 1}`);
  }
  renameSync(path, `${path}.1`);
}

export type LogFile = { write(text: string): void; close(): void };

/**
 * Opens a log file to append to, with rotation by size (`.1` is the newest of the older files). Drops lines that
 * can't be written, because a full disk must not stop the program.
 */
export function openLog(path: string, rotateAt = MAX_LOG_BYTES): LogFile {
  let file = openSync(path, 'a', 0o600);
  let size = fstatSync(file).size;
  let closed = false;
  const write = (text: string): void => {
    if (closed) return;
    try {
      if (size >= rotateAt) {
        closeSync(file);
        rotate(path);
        file = openSync(path, 'a', 0o600);
        size = 0;
      }
      size += writeSync(file, text);
    } catch {
      // The line is dropped.
    }
  };
  return {
    write,
    close: () => {
      closed = true;
      closeSync(file);
    },
  };
}

/** Splits a stream of chunks into lines. `flush` passes on a last line without a line break. */
export function lineSplitter(onLine: (line: string) => void): { push(chunk: string): void; flush(): void } {
  let rest = '';
  return {
    push(chunk) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line);
    },
    flush() {
      if (rest) onLine(rest);
      rest = '';
    },
  };
}

/** pino's number for "error". */
const ERROR = 50;

/** Returns what the terminal shows of a line in the app's log: errors in short, text as it is, or else null. */
export function terminalLine(line: string): string | null {
  if (!line.trim()) return null;
  let entry: { level?: unknown; msg?: unknown; err?: { message?: unknown } };
  try {
    entry = JSON.parse(line);
  } catch {
    return line;
  }
  if (typeof entry !== 'object' || entry === null) return line;
  if (typeof entry.level !== 'number' || entry.level < ERROR) return null;
  return [entry.msg, entry.err?.message].filter((part) => typeof part === 'string').join(': ') || line;
}
