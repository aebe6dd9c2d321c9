import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, expect } from 'vitest';
import { PROBE } from './probe';

// Writes down which functions a test file has called, its imports included.

const ran = new Map<string, Set<string>>();
Object.assign(globalThis, {
  [PROBE]: (file: string, key: string) => {
    const keys = ran.get(file) ?? new Set();
    ran.set(file, keys.add(key));
  },
});

afterAll(() => {
  const test = relative(process.cwd(), expect.getState().testPath ?? '');
  const name = `${createHash('sha1').update(test).digest('hex')}.json`;
  const functions = Object.fromEntries([...ran].map(([file, keys]) => [file, [...keys]]));
  writeFileSync(join(process.env['COVERAGE_FOLDER'] ?? '', name), JSON.stringify({ test, functions }));
});
