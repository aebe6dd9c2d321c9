import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '@/local/up/data-dir';
import { isCodeMissing } from './load-code';

describe('code that loads later', () => {
  it('always goes through lazyComponent, lazyPart, loadCode, or loadCodePatiently, which survive a release', () => {
    const found: string[] = [];
    for (const folder of ['app', 'components']) {
      for (const file of readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })) {
        if (!/\.tsx?$/.test(file) || file.includes('.test.')) continue;
        const text = readFileSync(join(projectRoot, folder, file), 'utf8').replaceAll(
          /^ *(\/\/|\/?\*).*$/gm,
          '',
        );
        for (const { index } of text.matchAll(/(?<![\w.])import\(/g)) {
          const before = text.slice(0, index);
          if (!/(lazyComponent|lazyPart|loadCode|loadCodePatiently)\(\s*\(\) =>\s*$/.test(before))
            found.push(join(folder, file));
        }
      }
    }
    expect([...new Set(found)].sort()).toEqual([
      // Its loaders run in loadCode (components/device/account-store.ts).
      'components/account/sign-in/account-stores.ts',
      // Loads its code ahead of time, where nobody is waiting for it.
      'components/ui/toast.ts',
    ]);
  });

  it.each([
    [
      Object.assign(new Error('Failed to load chunk /_next/static/chunks/a.js from module 1'), {
        name: 'ChunkLoadError',
      }),
      true,
    ],
    [new Error('Loading CSS chunk 12 failed.'), true],
    [new TypeError('Failed to fetch dynamically imported module: https://journal.example.com/a.js'), true],
    [new TypeError('Failed to fetch'), false],
    [new Error('Failed to load chunky things'), false],
    ['Failed to load chunk a.js', false],
  ])('is told from other failures: %s', (error, missing) => {
    expect(isCodeMissing(error)).toBe(missing);
  });
});
