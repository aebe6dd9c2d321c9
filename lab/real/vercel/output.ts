import {
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** A rule of config.json. The format is version 3 of Vercel’s Build Output API. */
export interface Route {
  src?: string;
  dest?: string;
  headers?: Record<string, string>;
  methods?: string[];
  status?: number;
  continue?: boolean;
  check?: boolean;
  override?: boolean;
  important?: boolean;
  middlewarePath?: string;
  handle?: string;
  has?: Condition[];
  missing?: Condition[];
}

export interface Condition {
  type: 'host' | 'header' | 'cookie' | 'query';
  key?: string;
  value?: string;
}

/** A function that several paths may share. */
export interface BuiltFunction {
  /** Its folder in the output, relative to `functions`, which names it: `api/inngest`. */
  name: string;
  handler: string;
  runtime: string;
  /** Whether it takes a `Request` and returns a `Response`, as middleware does. */
  usesWebApi: boolean;
  /** In seconds; null for the platform's default. */
  maxDuration: number | null;
  /** Unzipped, in bytes. */
  bytes: number;
  /** Where the platform puts each file, and where it is now. */
  files: Map<string, string>;
}

export interface StaticFile {
  path: string;
  contentType?: string;
  /** Of a page that was rendered by the build. */
  status?: number;
  headers?: Record<string, string>;
}

export interface BuildOutput {
  routes: Route[];
  /** By the path that leads to it. */
  functions: Map<string, BuiltFunction>;
  files: Map<string, StaticFile>;
}

const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;

/** Returns every file below a folder, relative to it, with links to folders that end with `.func` as they are. */
function listFiles(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name);
    return entry.name.endsWith('.func') || !entry.isDirectory() ? [path] : listFiles(folder, path);
  });
}

/** Returns every file below a folder, relative to it. */
function listOwnFiles(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name);
    return entry.isDirectory() ? listOwnFiles(folder, path) : [path];
  });
}

function readFunction(project: string, functions: string, folder: string): BuiltFunction {
  const config = readJson<{
    handler: string;
    runtime: string;
    useWebApi?: boolean;
    maxDuration?: number;
    filePathMap?: Record<string, string>;
  }>(join(folder, '.vc-config.json'));
  const files = new Map(
    Object.entries(config.filePathMap ?? {}).map(([to, from]) => [to, join(project, from)] as const),
  );
  for (const path of listOwnFiles(folder)) {
    if (path !== '.vc-config.json') files.set(path, join(folder, path));
  }
  const sizeOf = (path: string) => {
    const stat = lstatSync(path);
    return stat.isFile() ? stat.size : 0;
  };
  return {
    name: relative(functions, folder).replace(/\.func$/, ''),
    handler: config.handler,
    runtime: config.runtime,
    usesWebApi: config.useWebApi ?? false,
    maxDuration: config.maxDuration ?? null,
    bytes: [...files.values()].reduce((sum, path) => sum + sizeOf(path), 0),
    files,
  };
}

const withoutIndex = (path: string) => `/${path}`.replace(/\/index$/, '/');

/** Reads what `vercel build` has written into a project's folder. */
export function readOutput(project: string): BuildOutput {
  const output = join(project, '.vercel/output');
  const { routes, overrides = {} } = readJson<{
    routes: Route[];
    overrides?: Record<string, { path?: string; contentType?: string }>;
  }>(join(output, 'config.json'));
  const files = new Map<string, StaticFile>();
  for (const name of listFiles(join(output, 'static'))) {
    const { path = name, contentType } = overrides[name] ?? {};
    files.set(withoutIndex(path), {
      path: join(output, 'static', name),
      ...(contentType && { contentType }),
    });
  }
  const root = join(output, 'functions');
  const known = new Map<string, BuiltFunction>();
  const functions = new Map<string, BuiltFunction>();
  for (const name of listFiles(root)) {
    if (name.endsWith('.func')) {
      const folder = realpathSync(join(root, name));
      if (!known.has(folder)) known.set(folder, readFunction(project, realpathSync(root), folder));
      const path = withoutIndex(name.replace(/\.func$/, ''));
      const found = known.get(folder);
      if (found) functions.set(path, found);
    }
    if (name.endsWith('.prerender-config.json')) {
      const { fallback, initialHeaders, initialStatus } = readJson<{
        fallback?: { fsPath: string };
        initialHeaders?: Record<string, string>;
        initialStatus?: number;
      }>(join(root, name));
      if (!fallback) continue;
      files.set(withoutIndex(name.replace(/\.prerender-config\.json$/, '')), {
        path: join(root, dirname(name), fallback.fsPath.split('/').at(-1) ?? ''),
        ...(initialHeaders && { headers: initialHeaders }),
        ...(initialStatus && { status: initialStatus }),
      });
    }
  }
  return { routes, functions, files };
}

/** Lays out a function's files in an empty folder, as the platform does. On the same file system, none is copied. */
export function unpackFunction({ files }: BuiltFunction, folder: string): void {
  for (const [to, from] of files) {
    const path = join(folder, to);
    mkdirSync(dirname(path), { recursive: true });
    if (lstatSync(from).isSymbolicLink()) symlinkSync(readlinkSync(from), path);
    else linkOrCopy(from, path);
  }
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}
