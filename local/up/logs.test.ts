import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lineSplitter, openLog, terminalLine } from './logs';

test('a log is set aside when it is full, and five older ones are kept', () => {
  const folder = mkdtempSync(join(tmpdir(), 'daylight-logs-'));
  const path = join(folder, 'app.log');
  const log = openLog(path, 10);
  for (let line = 1; line <= 9; line += 1) log.write(`line ${line}, long\n`);
  log.close();
  expect(readdirSync(folder).sort()).toEqual(['app.log', ...[1, 2, 3, 4, 5].map((age) => `app.log.${age}`)]);
  expect(readFileSync(path, 'utf8')).toBe('line 9, long\n');
  expect(readFileSync(`${path}.1`, 'utf8')).toBe('line 8, long\n');
  expect(readFileSync(`${path}.5`, 'utf8')).toBe('line 4, long\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('appends to the log of the last run', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'daylight-logs-')), 'app.log');
  for (const run of ['first', 'second']) {
    const log = openLog(path);
    log.write(`${run}\n`);
    log.close();
  }
  expect(readFileSync(path, 'utf8')).toBe('first\nsecond\n');
});

test('splits any chunks into lines', () => {
  const lines: string[] = [];
  const splitter = lineSplitter((line) => lines.push(line));
  for (const chunk of ['on', 'e\ntwo\nth', 'ree']) splitter.push(chunk);
  expect(lines).toEqual(['one', 'two']);
  splitter.flush();
  expect(lines).toEqual(['one', 'two', 'three']);
});

test('the terminal shows errors and lines that are not log entries', () => {
  expect(terminalLine('{"level":30,"msg":"request"}')).toBeNull();
  expect(terminalLine('{"level":50,"msg":"failed","err":{"message":"no room"}}')).toBe('failed: no room');
  expect(terminalLine('Segmentation fault')).toBe('Segmentation fault');
  expect(terminalLine('42')).toBe('42');
  expect(terminalLine('  ')).toBeNull();
});
