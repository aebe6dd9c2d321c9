import { runInNewContext } from 'node:vm';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { parse } from './catalog';
import { addProbes, findFunctions, functionAt } from './functions';
import { PROBE } from './probe';

const TEXT = `export function outer(n: number) {
  const inner = (x: number) => x + n;
  return [n].map((x) => ({ sum: inner(x) })).map(({ sum }) => sum);
}
class Box { open() { return outer(1); } }
new Box().open();
`;

it('names functions by where they are', () => {
  const source = parse('lib/a.ts', TEXT);
  const functions = findFunctions(source);
  expect(functions.map(({ key }) => key)).toEqual([
    '/outer',
    '/outer/inner',
    '/outer/',
    '/outer/#2',
    '/open',
  ]);
  expect(functionAt(functions, TEXT.indexOf('x + n'))).toBe('/outer/inner');
  expect(functionAt(functions, TEXT.indexOf('return [n]'))).toBe('/outer');
  expect(functionAt(functions, TEXT.indexOf('new Box'))).toBe('');
});

it('puts a probe into each function, and changes nothing else', () => {
  const probed = addProbes('lib/a.ts', parse('lib/a.ts', `${TEXT}(globalThis as any).result = outer(3);`));
  expect(probed.split('\n')).toHaveLength(TEXT.split('\n').length);
  const ran = new Set<string>();
  const context = {
    result: null,
    [PROBE]: (file: string, key: string) => ran.add(`${file}${key}`),
    exports: {},
  };
  runInNewContext(ts.transpile(probed, { module: ts.ModuleKind.CommonJS }), context);
  expect(context.result).toEqual([6]);
  expect([...ran]).toEqual([
    'lib/a.ts',
    'lib/a.ts/open',
    'lib/a.ts/outer',
    'lib/a.ts/outer/',
    'lib/a.ts/outer/inner',
    'lib/a.ts/outer/#2',
  ]);
});
