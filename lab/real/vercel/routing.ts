import type { BuildOutput, Condition, Route } from './output';

/** What a request asks for, as far as routes look at it. */
export interface RoutedRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
}

/** What middleware has decided. */
export interface MiddlewareResult {
  /** Its own response, which ends the request; null to go on. */
  response: Response | null;
  /** Headers for whatever answers. */
  headers: Headers;
}

export interface RoutedTo {
  /** The path of a file or a function in the output; null if nothing matches, or middleware has answered. */
  path: string | null;
  response: Response | null;
  query: URLSearchParams;
  status: number | null;
  /** Set unless the function sets them itself. */
  headers: Headers;
  /** Set whatever the function sets. */
  important: Headers;
}

interface State extends RoutedTo {
  current: string;
}

interface Context {
  output: BuildOutput;
  request: RoutedRequest;
  runMiddleware(): Promise<MiddlewareResult>;
}

/** In this order a path that isn't in the output goes through the phases (Build Output API, "handle"). */
const PHASES = ['filesystem', 'rewrite', 'resource', 'miss'] as const;

/** Returns the routes of each phase: those before the first `handle` are the phase ''. */
function groupRoutes(routes: Route[]): Map<string, Route[]> {
  const groups = new Map<string, Route[]>();
  let phase = '';
  for (const route of routes) {
    if (route.handle !== undefined) phase = route.handle;
    else groups.set(phase, [...(groups.get(phase) ?? []), route]);
  }
  return groups;
}

function cookieOf(headers: Headers, name: string): string | undefined {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** Returns whether a condition holds, and adds its named groups to `groups`. */
function holds({ type, key = '', value }: Condition, { request }: Context, groups: Groups): boolean {
  const given = {
    host: () => request.headers.get('host') ?? undefined,
    header: () => request.headers.get(key) ?? undefined,
    cookie: () => cookieOf(request.headers, key),
    query: () => request.query.get(key) ?? undefined,
  }[type]();
  if (given === undefined) return false;
  if (value === undefined) return true;
  const match = new RegExp(`^${value}$`).exec(given);
  Object.assign(groups, match?.groups);
  return match !== null;
}

type Groups = Record<string, string | undefined>;

function matchRoute(route: Route, path: string, context: Context): Groups | null {
  if (route.methods && !route.methods.includes(context.request.method)) return null;
  // All of the path has to match, whether or not the expression says so.
  const match = new RegExp(`^(?:${route.src ?? ''})$`, 'i').exec(path);
  if (!match) return null;
  const groups: Groups = { ...match.groups };
  for (const [index, text] of match.entries()) groups[String(index)] = text;
  const isRight =
    (route.has ?? []).every((one) => holds(one, context, groups)) &&
    !(route.missing ?? []).some((one) => holds(one, context, {}));
  return isRight ? groups : null;
}

const fill = (template: string, groups: Groups): string =>
  template.replace(/\$(\w+)/g, (_, name: string) => groups[name] ?? '');

const isBuilt = ({ output }: Context, path: string): boolean =>
  output.files.has(path) || output.functions.has(path);

/** Decodes a path, unless it has an escape that isn't one: then nothing that was built is there. */
function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** Returns the path in the output, with or without a slash at its end; null if it isn't there. */
function findBuilt(context: Context, path: string): string | null {
  const known = [path, path.replace(/(.)\/$/, '$1'), decoded(path)];
  return known.find((one) => isBuilt(context, one)) ?? null;
}

function applyHeaders(state: State, route: Route, groups: Groups): void {
  for (const [name, value] of Object.entries(route.headers ?? {})) {
    (route.important ? state.important : state.headers).set(name, fill(value, groups));
  }
}

function applyDestination(state: State, dest: string, groups: Groups): void {
  const [path = '', query = ''] = fill(dest, groups).split('?');
  state.current = path;
  for (const [name, value] of new URLSearchParams(query)) state.query.set(name, value);
}

/** Applies a phase's routes. @returns whether the request is at its end */
async function runPhase(phase: string, state: State, routes: Route[], context: Context): Promise<boolean> {
  for (const route of routes) {
    const groups = matchRoute(route, state.current, context);
    if (!groups) continue;
    if (route.middlewarePath !== undefined) {
      const { response, headers } = await context.runMiddleware();
      headers.forEach((value, name) => {
        state.important[name === 'set-cookie' ? 'append' : 'set'](name, value);
      });
      if (response) {
        state.response = response;
        return true;
      }
      continue;
    }
    applyHeaders(state, route, groups);
    if (route.status !== undefined) state.status = route.status;
    if (route.dest !== undefined) applyDestination(state, route.dest, groups);
    const isRedirect = state.headers.has('location');
    if (isRedirect) return true;
    if (route.check) {
      state.path = findBuilt(context, state.current);
      if (state.path !== null) return true;
    } else if (!route.continue) {
      return phase !== '';
    }
  }
  return false;
}

/** Goes through the routes of config.json as the platform does, until a file, a function, or nothing is left. */
export async function routeRequest(context: Context): Promise<RoutedTo> {
  const groups = groupRoutes(context.output.routes);
  const state: State = {
    current: context.request.path,
    path: null,
    response: null,
    query: new URLSearchParams(context.request.query),
    status: null,
    headers: new Headers(),
    important: new Headers(),
  };
  const run = (phase: string) => runPhase(phase, state, groups.get(phase) ?? [], context);
  if ((await run('')) || state.response) return state;
  state.path = findBuilt(context, state.current);
  for (const phase of PHASES) {
    if (state.path !== null) break;
    await run(phase);
    state.path ??= phase === 'resource' ? null : findBuilt(context, state.current);
  }
  if (state.path === null) {
    state.status = 404;
    await run('error');
    state.path = findBuilt(context, state.current);
  } else if (state.status === 404) {
    state.status = null;
  }
  const matched = state.path;
  if (matched !== null) {
    state.current = matched;
    await run('hit');
  }
  return state;
}
