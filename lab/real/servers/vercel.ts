import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '@/local/postgres/server';
import { projectRoot } from '@/local/up/data-dir';
import { copyProject } from '../copy-project';
import { canDropNetwork } from '../plain-user';
import { freePorts } from '../process';
import type { RealServer } from './server';

/**
 * What the API promises. The others in the folder are about our own server, where the platform's accepts the connections. So
 * are the fuzz tests: without that server, Next itself answers bad escapes.
 */
const API_TESTS = [
  ...['auth-security', 'compressed-bodies', 'document', 'entries', 'every-operation', 'forged-headers'],
  ...['manifest', 'media', 'rate-limits', 'routing', 'search', 'uploads', 'verify-link'],
].map((name) => `e2e/api/${name}`);

const DIFFERENCES = {
  'refuses a body that is no JSON, and one that is too large':
    'The platform itself refuses bodies over 4.5 MB, with a text.',
  'no header opens a page to nobody': 'Next sends an old data address to the login’s own, which isn’t there.',
  'a method that an operation does not have is refused':
    'Next’s 405 has no Allow there, which our server adds.',
};

/**
 * A deployment as Vercel's command-line tool builds it, whose functions run behind a stand-in for the platform: in
 * sandboxes with a read-only disk, 512 MB of /tmp, one core, and 2 GB of memory, and frozen between requests.
 */
export const vercel: RealServer = {
  name: 'vercel',
  programs: ['vercel', 'bwrap', 'git', 'prlimit', 'taskset'],
  service: null,
  tests: { unit: ['lab/real/vercel'], e2e: [...API_TESTS, 'e2e/journeys/upload-flow'] },
  differences: DIFFERENCES,
  findObstacle: ({ bwrap = '' }) =>
    canDropNetwork(bwrap) ? null : 'this system doesn’t let bubblewrap create namespaces',
  async start({ programs, dir }) {
    const project = join(dir, 'daylight');
    copyProject(programs.git ?? '', project);
    // As links: Turbopack takes no packages from elsewhere.
    execFileSync('cp', ['-al', join(projectRoot, 'node_modules'), join(project, 'node_modules')]);
    const { database } = await freePorts('database');
    const server = await startPostgres({
      dataDir: join(dir, 'postgres'),
      port: database,
      log: () => undefined,
    });
    try {
      linkProject(project, { DATABASE_URL: server.url });
      console.log('vercel: building');
      const built = spawnSync(programs.vercel ?? '', ['build', '--prod', '--yes'], {
        cwd: project,
        encoding: 'utf8',
        env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', VERCEL_TELEMETRY_DISABLED: '1' },
      });
      const log = `${built.stdout}${built.stderr}`;
      writeFileSync(join(dir, 'build.log'), log);
      if (built.status !== 0) throw new Error(`It couldn't be built:\n${log.slice(-3000)}`);
    } finally {
      await server.stop();
    }
    return {
      env: {
        VERCEL_PROJECT: project,
        VERCEL_BWRAP: programs.bwrap ?? '',
        VERCEL_PROGRAM: programs.vercel ?? '',
        ...givenFfmpeg(),
      },
      stop: async () => undefined,
    };
  },
};

/** Writes what `vercel link` and `vercel pull` would, so that it builds without an account. */
function linkProject(project: string, settings: Record<string, string>): void {
  const folder = join(project, '.vercel');
  mkdirSync(folder);
  const link = { projectId: 'prj_test', orgId: 'team_test', settings: { framework: 'nextjs' } };
  writeFileSync(join(folder, 'project.json'), JSON.stringify(link));
  const env = { VERCEL: '1', VERCEL_ENV: 'production', ...settings };
  const lines = Object.entries(env).map(([name, value]) => `${name}="${value}"\n`);
  writeFileSync(join(folder, '.env.production.local'), lines.join(''));
}

/** Returns this machine's ffmpeg in place of the `ffmpeg-static` package's, where npm didn't download that. */
function givenFfmpeg(): Record<string, string> {
  const isComplete = existsSync(join(projectRoot, 'node_modules/ffmpeg-static/ffmpeg'));
  return isComplete ? {} : { FFMPEG_PATH: '/usr/bin/ffmpeg', FFPROBE_PATH: '/usr/bin/ffprobe' };
}
