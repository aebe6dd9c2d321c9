import { type ExecFileException, type ExecFileOptions, execFile, execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** How a script ended, with what it printed. */
type Ended = { code: number; stdout: string; stderr: string };

/** A server's folders below one of their own, with the scripts of deploy/ installed. */
export interface Server {
  /** What takes the place of /. */
  root: string;
  /** Puts a program, a shell script, in place of the system's. `$log` is a file that all of them may append to. */
  program(name: string, body: string): void;
  /** Writes a file below the root, with its folders. */
  write(path: string, content: string): void;
  read(path: string): string;
  /** The lines that the programs have written to `$log` since the last call. */
  takeLog(): string[];
  /** Runs an installed script in the root, without a terminal. */
  run(name: string, args?: string[], env?: Record<string, string>): Promise<Ended>;
  remove(): void;
}

/** Whom `runuser` was told to run a command as; notes it as $RUN_AS for the command. */
const RUNUSER = `
while [ "$1" != -- ]; do if [ "$1" = --user ]; then RUN_AS=$2; fi; shift; done
shift
export RUN_AS
exec "$@"`;

function runToEnd(file: string, args: string[], options: ExecFileOptions): Promise<Ended> {
  return new Promise((done) => {
    execFile(
      file,
      args,
      { ...options, encoding: 'utf8' },
      (error: ExecFileException | null, stdout, stderr) =>
        done({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    ).stdin?.end();
  });
}

/** Installs the scripts as root does, from a clone at /opt/daylight/source that root owns. */
export async function installServer(): Promise<Server> {
  const root = mkdtempSync(join(tmpdir(), 'daylight-server-'));
  chmodSync(root, 0o755);
  const programs = join(root, 'stand-ins');
  const log = join(root, 'log');
  mkdirSync(programs);
  writeFileSync(log, '');
  chmodSync(log, 0o666);

  const program = (name: string, body: string) => {
    writeFileSync(join(programs, name), `#!/bin/sh\nlog='${log}'\n${body}\n`);
    chmodSync(join(programs, name), 0o755);
  };
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  const run = (name: string, args: string[] = [], env: Record<string, string> = {}) =>
    runToEnd(join(root, 'usr/local/sbin', name), args, {
      cwd: root,
      env: {
        ...process.env,
        ...env,
        PATH: `${programs}:${join(root, 'usr/local/sbin')}:${process.env.PATH}`,
        DAYLIGHT_ROOT: root,
      },
    });

  program('systemctl', ':');
  program('curl', ':');
  program('runuser', RUNUSER);
  const source = join(root, 'opt/daylight/source');
  mkdirSync(join(root, 'opt/daylight/releases'), { recursive: true });
  cpSync(resolve(import.meta.dirname, '../deploy'), join(source, 'deploy'), { recursive: true });
  execFileSync('sh', [join(source, 'deploy/install.sh')], {
    env: { ...process.env, PATH: `${programs}:${process.env.PATH}`, DAYLIGHT_ROOT: root },
  });
  return {
    root,
    program,
    write,
    run,
    read: (path) => readFileSync(join(root, path), 'utf8'),
    takeLog() {
      const lines = readFileSync(log, 'utf8').split('\n').filter(Boolean);
      writeFileSync(log, '');
      return lines;
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Makes /opt/daylight/source a clone of a repository, which holds deploy/. `commit` adds a version. */
export function cloneSource({ root }: Server): { origin: string; commit(): string; head(): string } {
  const origin = join(root, 'origin');
  const source = join(root, 'opt/daylight/source');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
      encoding: 'utf8',
    }).trim();
  const commit = () => {
    git('-C', origin, 'add', '.');
    git('-C', origin, 'commit', '--quiet', '--message', 'A version');
    return head();
  };
  const head = () => git('-C', origin, 'rev-parse', 'HEAD');
  git('init', '--quiet', '--initial-branch=main', origin);
  writeFileSync(join(origin, 'package.json'), '{}');
  cpSync(join(source, 'deploy'), join(origin, 'deploy'), { recursive: true });
  commit();
  rmSync(source, { recursive: true });
  git('clone', '--quiet', origin, source);
  return { origin, commit, head };
}
