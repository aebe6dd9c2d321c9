import { expect, it } from 'vitest';
import { fillIn, readBlocks } from './guide-blocks';

it.each(['docs/deploy/vps.md', 'docs/deploy/vercel.md'])('reads the commands of %s in order', (path) => {
  const blocks = readBlocks(path);
  expect(blocks.length).toBeGreaterThan(5);
  expect(blocks.map(({ text }) => text).join()).not.toContain('```');
  expect(blocks.map(({ heading }) => heading).join()).not.toMatch(/^\d|\n/);
});

it('knows which block is for a person’s own values', () => {
  const yours = readBlocks('docs/deploy/vps.md').filter(({ isYours }) => isYours);
  expect(yours.map(({ heading }) => heading)).toEqual(['Your values']);
});

it('takes commands in a list without their indentation', () => {
  const [block] = readBlocks('docs/deploy/vps.md').filter(({ heading }) => heading === 'Later');
  expect(block?.text).toMatch(/^systemctl enable/);
});

it('puts in values, and every one', () => {
  const block = "site=a.example.com\n# Who is told.\nmail='smtp://x'\n";
  const values = { site: 'b.example.com', mail: 'smtp://y' };
  expect(fillIn(block, values)).toBe("site='b.example.com'\n# Who is told.\nmail='smtp://y'\n");
  expect(() => fillIn(block, { site: 'b.example.com' })).toThrow(/mail/);
  expect(() => fillIn(block, { ...values, sight: 'c' })).toThrow(/sight/);
});
