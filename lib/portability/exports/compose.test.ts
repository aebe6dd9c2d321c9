import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { archiveSchema } from './compose';

const file = join(resolve(import.meta.dirname, '../../..'), 'docs/daylight.schema.json');

it('publishes the schema of archives as it is', () => {
  const schema = archiveSchema();
  // To write it again: UPDATE_SCHEMA=1 npm test -- lib/portability/exports/compose.test.ts && npm run lint -- --fix
  if (process.env.UPDATE_SCHEMA) writeFileSync(file, schema);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(schema));
});

it('allows keys that later archives may have', () => {
  expect(archiveSchema()).not.toContain('additionalProperties');
});
