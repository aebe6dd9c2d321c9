import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadNotices } from './load-notices';
import { NOTICE_FILES, packagesOf, SECTIONS } from './parts';

const parts = SECTIONS.flatMap((section) => section.parts);

/** Packages that only servers load, for routes' handlers. */
const ON_THE_SERVER = new Set(['next-auth', 'drizzle-orm', 'zod']);

/** Packages that Next builds pages with. */
const NEXT_TOOLS = new Set([
  '@next/env',
  'baseline-browser-mapping',
  'caniuse-lite',
  'postcss',
  'styled-jsx',
]);

describe('the open source notices', () => {
  it.each(NOTICE_FILES)('have %s, which isn’t empty', (path) => {
    expect(readFileSync(path, 'utf8').trim().length).toBeGreaterThan(100);
  });

  it('show a license’s text for everything but separate programs', () => {
    expect(parts.filter(({ text }) => !text).map(({ name }) => name)).toEqual(['FFmpeg']);
    for (const { name, license, text = '' } of parts.filter((part) => part.text)) {
      const words = {
        MIT: 'Permission is hereby granted',
        ISC: 'Permission to use, copy, modify',
        OFL: 'SIL OPEN FONT',
      };
      const [, opening = 'Redistribution and use'] =
        Object.entries(words).find(([id]) => license.startsWith(id)) ?? [];
      expect(readFileSync(text, 'utf8').replace(/\s+/g, ' '), name).toContain(opening);
    }
  });

  it('name every package that pages and the speech engine import', () => {
    const files = ['app', 'components', 'lib/video/speech']
      .flatMap((folder) => readdirSync(folder, { recursive: true }).map((file) => join(folder, String(file))))
      .filter((file) => /(?<!\.test)\.tsx?$/.test(file));
    const imported = files.flatMap((file) =>
      [
        ...readFileSync(file, 'utf8').matchAll(
          /^(?:import|export) (?!type )[^;]*?from '([^']+)';|import\('([^']+)'\)/gm,
        ),
      ]
        .map(([, name, lazy]) => name ?? lazy ?? '')
        .filter((name) => /^[a-z@]/.test(name) && !/^(?:@\/|node:)/.test(name)),
    );
    const packages = new Set(imported.map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name));
    const named = new Set(parts.flatMap(packagesOf));
    expect([...packages].filter((name) => !named.has(name) && !ON_THE_SERVER.has(name))).toEqual([]);
    expect(packages).toContain('react');
  });

  it('name every package that those in the browser bring along', () => {
    const inBrowser = SECTIONS.find(({ title }) => title === 'In your browser')?.parts.flatMap(packagesOf);
    const named = new Set([...(inBrowser ?? []), ...NEXT_TOOLS]);
    const missing = [...named].flatMap((name) => {
      const { dependencies = {} } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'));
      const isMissing = (other: string) => !named.has(other) && !NEXT_TOOLS.has(name);
      return Object.keys(dependencies).filter(isMissing);
    });
    expect(missing).toEqual([]);
  });

  it('are read once, since anybody may ask for them', async () => {
    const loaded = await loadNotices();
    expect(await loadNotices()).toBe(loaded);
    const notices = loaded.flatMap((section) => section.notices);
    expect(notices.map(({ name }) => name)).toEqual(parts.map(({ name }) => name));
    const [react] = notices.filter(({ name }) => name === 'React');
    expect(react?.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(react?.licenses[0]?.text).toContain('Permission is hereby granted, free of charge, to any person');
  });
});
