import { expect, it } from 'vitest';
import { findAssertionProblems } from '@/scripts/check-assertions';

const inTest = (body: string, file = 'lib/journal/notes/notes.test.ts') =>
  findAssertionProblems(file, `const TAGS = ['a'];\nit('does it', async () => {\n${body}\n});\n`);

it('names the line, and what may be empty', () => {
  expect(inTest('for (const one of await list()) expect(one).toBe(1);')).toEqual([
    {
      line: 3,
      message: 'asserts for each of “await list()”, which may be empty: assert its length or content, too',
    },
  ]);
});

it.each([
  ['a loop over what a call returns', 'for (const one of await list()) expect(one).toBe(1);'],
  ['forEach', 'const all = list(); all.forEach((one) => expect(one).toBe(1));'],
  ['every', 'const all = list(); expect(all.every(Boolean)).toBe(true);'],
  ['a part of a literal', 'for (const one of [1, 2].filter(isOdd)) expect(one).toBe(1);'],
  ['a default', 'const all = list(); for (const one of all ?? []) expect(one).toBe(1);'],
  [
    'a list that may be filled',
    'const all = []; if (ready()) all.push(1); for (const x of all) expect(x).toBe(1);',
  ],
  [
    'a length of 0',
    'const all = list(); expect(all.length).toBe(0); for (const x of all) expect(x).toBe(1);',
  ],
  [
    'what isn’t in a list',
    'const all = list(); expect(all).not.toContain(2); for (const x of all) expect(x).toBe(1);',
  ],
  ['one outcome', 'const made = await make(); if (made) expect(made.name).toBe("a");'],
  ['one outcome of each', 'for (const one of await Promise.all([make()])) if (one) expect(one).toBe(1);'],
  ['&&', 'const made = await make(); made && expect(made.name).toBe("a");'],
  ['a conditional expression', 'const made = await make(); made ? expect(made).toBe(1) : undefined;'],
  ['catch', 'try { await make(); } catch (error) { expect(error).toBe(1); }'],
  ['.catch()', 'await make().catch((error) => expect(error).toBe(1)); expect(2).toBe(2);'],
  ['a promise that nothing awaits', 'expect(make()).rejects.toThrow();'],
  ['a poll that nothing awaits', 'expect.poll(count).toBe(1);'],
  [
    'a property test that nothing awaits',
    'fc.assert(fc.asyncProperty(fc.nat(), async (n) => expect(n).toBe(n)));',
  ],
  ['no matcher', 'expect(await make());'],
  ['the same call', 'expect(make(1)).toEqual(make(1));'],
  ['no assertion', 'await make();'],
])('rejects %s', (_, body) => {
  expect(inTest(body)).toHaveLength(1);
});

it.each([
  ['a literal', 'for (const one of [1, 2]) expect(make(one)).toBe(1);'],
  ['a constant', 'const all = [1, 2]; for (const one of all.toSorted()) expect(make(one)).toBe(1);'],
  ['a table of the file', 'for (const one of TAGS) expect(make(one)).toBe(1);'],
  ['an imported table', 'for (const one of Object.values(PLANS)) expect(make(one)).toBe(1);'],
  ['a certain length', 'for (const one of Array.from({ length: 3 }, make)) expect(one).toBe(1);'],
  [
    'a list that’s filled',
    'const all = []; for (const x of [1]) all.push(x); for (const x of all) expect(x).toBe(1);',
  ],
  [
    'a count',
    'const all = await list(); expect(all).toHaveLength(2); for (const x of all) expect(x).toBe(1);',
  ],
  [
    'content',
    'const all = await list(); expect(all.map(nameOf)).toEqual(["a"]); for (const x of all) expect(x).toBe(1);',
  ],
  [
    'not nothing',
    'const all = await list(); expect(all).not.toEqual([]); for (const x of all) expect(x).toBe(1);',
  ],
  ['a reason', '// May be empty: no network.\nfor (const one of addresses()) expect(one).toBe(1);'],
  [
    'drawn values',
    'fc.assert(fc.property(fc.nat(), (n) => { for (const x of list(n)) expect(x).toBe(1); }));',
  ],
  [
    'both outcomes',
    'const made = await make(); if (made) expect(made).toBe(1); else expect(left()).toBe(2);',
  ],
  [
    'a case of the table',
    'for (const [one, isNew] of [[1, true]]) { expect(one).toBe(1); if (isNew) expect(all()).toBe(1); }',
  ],
  [
    'what a table decides',
    'for (const has of [true]) { const all = has ? await list() : null; if (all) expect(all).toBe(1); }',
  ],
  [
    'an outcome that’s counted',
    'const all = await Promise.all([make()]); expect(all.filter(Boolean)).toHaveLength(1); for (const x of all) if (x) expect(x).toBe(1);',
  ],
  ['a helper of the file', 'const checked = () => expect(count()).toBe(1); checked();'],
  ['waiting', 'await waitUntil(() => count() === 1);'],
  [
    'awaited promises',
    'await expect(make()).rejects.toThrow(); await Promise.all([expect(make()).resolves.toBe(1)]);',
  ],
  ['other arguments', 'expect(make(1)).toEqual(make(2));'],
])('allows %s', (_, body) => {
  expect(inTest(body)).toEqual([]);
});

it('knows the assertions of browser tests that wait', () => {
  const body = 'expect(page.getByRole("link")).toBeVisible();';
  expect(inTest(body, 'e2e/journeys/search.spec.ts')).toEqual([{ line: 3, message: 'isn’t awaited' }]);
  expect(inTest(`await ${body}`, 'e2e/journeys/search.spec.ts')).toEqual([]);
});
