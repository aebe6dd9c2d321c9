import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readOutput } from './vercel/output';

const { VERCEL_PROJECT: project = '' } = process.env;

/** The most that each function may have, unzipped, in MB. The platform takes 250. */
const LIMITS: Record<string, number> = {
  'api/inngest': 200,
  'api/[...path]': 20,
  _middleware: 10,
};
const OF_PAGES = 18;
/** What the package that downloads ffmpeg adds to the function that runs jobs, where it could. In MB. */
const FFMPEG_MB = 82;

describe.skipIf(!project)('the deployment', () => {
  const functions = project ? [...new Set(readOutput(project).functions.values())] : [];

  it('has functions that the platform takes', () => {
    const rows = functions.map((fn) => {
      const limit = LIMITS[fn.name] ?? OF_PAGES;
      const hasFfmpeg = [...fn.files.keys()].includes('node_modules/ffmpeg-static/ffmpeg');
      const missing = fn.name === 'api/inngest' && !hasFfmpeg ? FFMPEG_MB : 0;
      return { name: fn.name, megabytes: Math.round(fn.bytes / 1e5) / 10 + missing, limit };
    });
    console.table(rows);
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(LIMITS)));
    expect(rows.filter(({ megabytes, limit }) => megabytes > limit)).toEqual([]);
  });

  it('runs on the recommended version of Node, for as long as each plan allows', () => {
    expect([...new Set(functions.map(({ runtime }) => runtime))]).toEqual(['nodejs24.x']);
    const jobs = functions.find(({ name }) => name === 'api/inngest');
    expect(jobs?.maxDuration).toBe(300);
  });

  it('has said in its log which code makes the first account, and that nothing is left to decide', () => {
    const log = readFileSync(join(project, '../build.log'), 'utf8');
    expect(log).toMatch(/\b\d{4} \d{4}\b/);
    // A version of Node that changes by itself, and install scripts that nobody has allowed or denied.
    expect(log).not.toMatch(/Detected "engines"|install-scripts/);
  });
});
