import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { operations } from '@/lib/api/operations';

const API = join(import.meta.dirname, '..', 'app', 'api', 'v1');

/** `METHOD /path` of every handler below app/api/v1, as Next takes them from the names of folders and exports. */
function routes(): string[] {
  return readdirSync(API, { recursive: true, encoding: 'utf8' })
    .filter((file) => basename(file) === 'route.ts')
    .flatMap((file) => {
      const path = dirname(file).replace(/\[(\w+)\]/g, ':$1');
      const source = readFileSync(join(API, file), 'utf8');
      const exported = source.matchAll(/export (?:const|(?:async )?function) ([A-Z]+)\b/g);
      return [...exported].map(([, method]) => `${method} /${path}`);
    });
}

describe('the contracts', () => {
  it('are exactly the routes below app/api/v1', () => {
    const declared = operations.map(({ method, path }) => `${method} ${path}`);
    expect(declared.sort()).toEqual(routes().sort());
  });

  it('declare each operation once', () => {
    const declared = operations.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ':')}`);
    expect(new Set(declared).size).toBe(declared.length);
  });

  it.each(operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    'name every parameter of %s',
    (_, { path, params }) => {
      const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
      const shape = params ? Object.keys((params as z.ZodObject).shape) : [];
      expect(shape.sort()).toEqual(inPath.sort());
    },
  );

  it('let no operation answer nothing in particular', () => {
    const vague = operations.filter(({ response, produces }) => !response && !produces);
    expect(vague.map(({ path }) => path)).toEqual([]);
  });

  it('hold every state change to the origin check', () => {
    const changing = ['/presigned_url', '/entry/:id/upload/complete', '/logout'];
    for (const path of changing) {
      expect(
        operations.find((operation) => operation.path === path),
        path,
      ).toMatchObject({ changesState: true });
    }
  });
});
