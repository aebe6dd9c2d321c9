import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { COOKIES } from './cookies-table';

const root = resolve(import.meta.dirname, '../..');

const sources = ['app', 'components', 'lib']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
      join(root, folder, path),
    ),
  )
  .filter((path) => /(?<!\.test)\.tsx?$/.test(path))
  .map((path) => readFileSync(path, 'utf8'));
const code = sources.join('\n');

/** Returns what the first groups of all matches hold. */
const all = (pattern: RegExp, text = code) => [...text.matchAll(pattern)].map(([, found = '']) => found);

const constant = (name: string) => all(new RegExp(`const ${name} = '([^']+)'`, 'g'))[0] ?? name;

it('lists every cookie that the code sets, and no other', () => {
  const [session = ''] = all(/SESSION_COOKIES = \{(.+)\} as const/g);
  const [sealed = ''] = all(/interface Sealed \{([\s\S]+?)\n\}/g);
  const set = [
    ...all(/'([^']+)'/g, session),
    ...all(/^ {2}(\w+):/gm, sealed).map((name) => `daylight.${name}`),
    ...all(/hostCookieName\('([^']+)'\)/g),
    ...all(/document\.cookie = [`']([\w.-]+)=/g),
    ...all(/document\.cookie = `\$\{(\w+)\}=/g).map(constant),
  ];
  // Nobody may set one in a way that isn't looked for here.
  expect(all(/(document\.cookie = )/g)).toHaveLength(5);
  expect(set.toSorted().filter((name, index, names) => name !== names[index - 1])).toEqual(
    COOKIES.flatMap(({ name }) => name.split(', ')).toSorted(),
  );
});
