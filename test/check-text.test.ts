import { expect, it } from 'vitest';
import { findTextProblems } from '@/scripts/check-text';

const inComponent = (source: string) => findTextProblems('components/journal/notes/note.tsx', source);

it('names the line, the string, what breaks a rule, and what to write', () => {
  const source = "export const Note = () => (\n  <p>\n    You can't undo this.\n  </p>\n);\n";
  expect(inComponent(source)).toEqual([
    { line: 3, message: "“You can't undo this.” has “n't”; use a typographic apostrophe (’)" },
  ]);
});

it.each([
  ['JSX text', "<p>It's saved.</p>"],
  ['an entity', '<p>It&apos;s saved.</p>'],
  ['an attribute', `<p title="It's saved." />`],
  ['a string', `toast.success("It's saved.")`],
  ['a template', `toast.success(\`\${title}'s saved.\`)`],
  ['an API message', `throw new AppError('conflict', { message: "It's saved." })`],
  ['straight quotes', '<p>Select "Save" first.</p>'],
  ['three dots', '<p>Saving...</p>'],
  ['padding', '<p>Please try again.</p>'],
  ['a missing contraction', "toast.error('The note could not be saved.')"],
  ['title case', '<h2>Recent Entries</h2>'],
])('rejects %s', (_, source) => {
  expect(inComponent(source)).toHaveLength(1);
});

it.each([
  ['typographic marks', '<p>It’s saved as “Monday”…</p>'],
  ['sentence case', '<h2>Recent entries</h2>'],
  ['a string that the specification fixes', `<p>You have reached your plan's quota.</p>`],
  ['a label that the specification fixes', '<button>Start Recording</button>'],
  ['a log line', `console.error("The note couldn't be saved")`],
  ['an error for developers', `throw new Error("The note's row is missing")`],
  ['SQL', "sql`select 'a' || name from notes where text = 'it''s'`"],
  ['a comment', "// It's saved.\nsave();"],
])('allows %s', (_, source) => {
  expect(inComponent(source)).toEqual([]);
});

it('checks capitals only where every string is on screen', () => {
  const source = "const browser = 'Samsung Internet';";
  expect(findTextProblems('lib/foundation/http/device-name.ts', source)).toEqual([]);
});
