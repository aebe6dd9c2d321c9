import { expect, it, vi } from 'vitest';
import { perProcess } from './per-process';

it('creates one instance for all copies of a module', async () => {
  const create = vi.fn(() => new Set<string>());
  const instance = perProcess('test.one', create);
  vi.resetModules();
  const copy = await import('./per-process');
  expect(copy.perProcess).not.toBe(perProcess);
  expect(copy.perProcess('test.one', create)).toBe(instance);
  expect(create).toHaveBeenCalledOnce();
  expect(perProcess('test.two', create)).not.toBe(instance);
});
