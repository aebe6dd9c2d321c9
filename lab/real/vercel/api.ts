import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** What the platform knows of the one project that a test makes. */
export interface PlatformApi {
  url: string;
  /** The variables that the command-line tool has stored for production. */
  settings: Map<string, string>;
  /** The domains that it has added. */
  domains: string[];
  /** What it asked for that isn't implemented. */
  unknown: string[];
  close(): Promise<void>;
}

interface Variable {
  key: string;
  value: string;
  target: string[];
}

const USER = {
  id: 'usr_1',
  email: 'ada@example.com',
  username: 'ada',
  defaultTeamId: 'team_1',
  version: 'northstar',
};
const TEAM = { id: 'team_1', slug: 'ada', name: 'ada', membership: { role: 'OWNER' } };

/**
 * Stands in for Vercel's API as far as `vercel link`, `domains add`, and `env` use it (version 64 of the tool). A secret can't be
 * read again, as on the platform.
 */
export async function startPlatformApi(): Promise<PlatformApi> {
  const state = { isMade: false };
  const settings = new Map<string, string>();
  const domains: string[] = [];
  const unknown: string[] = [];

  function answer(method: string, path: string, body: unknown): unknown {
    const project = {
      id: 'prj_1',
      name: 'daylight',
      accountId: TEAM.id,
      nodeVersion: '24.x',
      targets: {},
      link: null,
    };
    const isProject = /^\/(v\d+\/)?projects\/(daylight|prj_1)$/.test(path);
    if (path === '/v2/user') return { user: USER };
    if (path === '/v1/teams') return { teams: [TEAM], pagination: { count: 1, next: null, prev: null } };
    if (/^\/(v\d+\/)?teams\/team_1$/.test(path)) return TEAM;
    if (method === 'POST' && path === '/v1/projects') {
      state.isMade = true;
      return project;
    }
    if (isProject) return state.isMade ? project : null;
    if (method === 'POST' && path === '/projects/daylight/alias') {
      const { domain } = body as { domain: string };
      domains.push(domain);
      return [{ domain, target: 'PRODUCTION' }];
    }
    if (/^\/v\d+\/projects\/prj_1\/env$/.test(path)) {
      if (method !== 'POST') return { envs: [] };
      const { key, value, target } = body as Variable;
      if (target.includes('production')) settings.set(key, value);
      return { created: {}, failed: [] };
    }
    if (/^\/v3\/env\/pull\/prj_1\//.test(path)) {
      const hidden = path.endsWith('/production')
        ? [...settings.keys()].map((key) => [key, '[SENSITIVE]'])
        : [];
      return { env: Object.fromEntries(hidden), buildEnv: {} };
    }
    if (path === '/projects/prj_1/custom-environments') return { environments: [] };
    if (/^\/v\d+\/domains\//.test(path)) return { misconfigured: false, conflicts: [] };
    unknown.push(`${method} ${path}`);
    return null;
  }

  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/' } = request;
    const body: unknown = method === 'POST' ? await json(request) : null;
    const result = answer(method, url.split('?')[0] ?? '', body);
    response.writeHead(result === null ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(result ?? { error: { code: 'not_found', message: 'Not found' } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    settings,
    domains,
    unknown,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
