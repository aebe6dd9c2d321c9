import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '@/local/up/data-dir';
import { imageSettings, parseDockerfile } from './dockerfile';

const stages = parseDockerfile(readFileSync(join(projectRoot, 'deploy/Dockerfile'), 'utf8'));

it('reads stages, comments, and continued lines', () => {
  const text = '# one\nFROM a:1 AS first\nRUN x \\\n  # why\n  && y\n\nFROM scratch\nUSER 1:2\n';
  expect(parseDockerfile(text.replace('  # why\n', '# why\n'))).toEqual([
    { from: 'a:1', name: 'first', instructions: [{ name: 'RUN', text: 'x && y' }] },
    { from: 'scratch', name: '', instructions: [{ name: 'USER', text: '1:2' }] },
  ]);
  expect(() => parseDockerfile('FROM a\nlowercase b')).toThrow('nothing here understands');
});

it('has a Dockerfile that copies only files and stages that exist', () => {
  const names = stages.map(({ name }) => name);
  const copies = stages.flatMap(({ instructions }) => instructions.filter(({ name }) => name === 'COPY'));
  for (const { text } of copies) {
    const [first = '', ...rest] = text.split(' ');
    if (first.startsWith('--from=')) expect(names).toContain(first.slice('--from='.length));
    else {
      expect(rest, text).not.toEqual([]);
      expect([first, ...rest].slice(0, -1).filter((path) => !existsSync(join(projectRoot, path)))).toEqual(
        [],
      );
    }
  }
  expect(copies.length).toBeGreaterThan(3);
});

it('runs as a user without rights', () => {
  const last = stages.at(-1);
  expect(last && imageSettings(last)).toMatchObject({ user: '10001:10001', env: { NODE_ENV: 'production' } });
});
