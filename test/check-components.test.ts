import { resolve } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { findComponentProblems } from '@/scripts/check-components';

const LOOSE = [
  ['a spinner before a button’s label', '<button>{busy && <i />}{children}</button>'],
  ['an icon before a text', '<p>{busy ? <i /> : null}Start Recording</p>'],
  ['an element before a string', '<p>{busy && <i />}{title}</p>'],
  ['a text that comes and goes', "<p><b />{busy && 'Ready.'}</p>"],
  ['a text after a list', '<p>{list.map((one) => <i key={one} />)}{title}</p>'],
  ['either of both', "<p><b />{busy ? <i /> : 'Ready.'}</p>"],
  ['a fragment', '<>{busy && <i />}{list.length}</>'],
] as const;

const APART = [
  ['a text in an element', '<p>{busy && <i />}<span>{children}</span></p>'],
  ['one string or another', "<p><b />{busy ? 'Ready.' : 'Not yet.'}</p>"],
  ['only text', "<p>{busy && 'Ready.'}</p>"],
  ['elements', '<p><b />{busy && <i />}{list.map((one) => <i key={one} />)}</p>'],
  ['what needs a text to be shown', '<p><b />{title && <i>{title}</i>}{list.length && <i />}</p>'],
  ['white space', "<p>{busy && ' '}<b /></p>"],
] as const;

const BARE = [
  ['a press', 'const f = (event: KeyboardEvent) => event.key;'],
  ['React’s', 'const f = (event: ReactEvent) => event.nativeEvent.isComposing;'],
  ['one in a function’s parameters', 'const f = ({ key }: KeyboardEvent) => key;'],
  ['one that’s renamed', 'const f = (event: ReactEvent) => { const { code: at } = event; return at; };'],
] as const;

const COMPONENT = (body: string) => `
import type { KeyboardEvent as ReactEvent, ReactNode } from 'react';
export function Component({ busy, title, list, children }: { busy: boolean; title: string; list: string[]; children: ReactNode }) {
  return ${body};
}`;

const sources = new Map<string, string>();
const add = (name: string, text: string): string => {
  const path = resolve(`components/${name}.tsx`);
  sources.set(path, text);
  return path;
};
const withMarkup = (cases: readonly (readonly [string, string])[], kind: string) =>
  cases.map(([what, body], index) => ({ what, path: add(`${kind}-${index}`, COMPONENT(body)) }));
const loose = withMarkup(LOOSE, 'loose');
const apart = withMarkup(APART, 'apart');
const bare = BARE.map(([what, body], index) => ({
  what,
  path: add(`bare-${index}`, `import type { KeyboardEvent as ReactEvent } from 'react';\nexport ${body}`),
}));
const other = add('other', 'export const f = (event: { key: string }) => event.key;');

const options: ts.CompilerOptions = {
  jsx: ts.JsxEmit.ReactJSX,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  strict: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2023,
  types: [],
};
const host = ts.createCompilerHost(options);
const { fileExists, readFile, getSourceFile } = host;
host.fileExists = (path) => sources.has(path) || fileExists(path);
host.readFile = (path) => sources.get(path) ?? readFile(path);
host.getSourceFile = (path, target, ...rest) => {
  const text = sources.get(path);
  return text === undefined
    ? getSourceFile(path, target, ...rest)
    : ts.createSourceFile(path, text, target, true);
};
const program = ts.createProgram([...sources.keys()], options, host);
const checker = program.getTypeChecker();
const check = (path: string, given = {}) => {
  const file = program.getSourceFile(path);
  if (!file) throw new Error(`${path} isn’t in the program.`);
  return findComponentProblems(file, checker, given);
};

it.each(loose)('finds $what beside text', ({ path }) => {
  expect(check(path)).toEqual([{ line: 4, message: expect.stringContaining('would crash') }]);
});

it.each(apart)('allows $what', ({ path }) => {
  expect(check(path)).toEqual([]);
});

it.each(bare)('finds $what that’s read', ({ path }) => {
  expect(check(path)).toEqual([{ line: 2, message: expect.stringContaining('keyOf()') }]);
  expect(check(path, { mayReadKeys: true })).toEqual([]);
});

it('allows another key', () => {
  expect(check(other)).toEqual([]);
});
