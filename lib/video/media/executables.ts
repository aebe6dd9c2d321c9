import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const onWindows = process.platform === 'win32';

/** Returns the absolute path of a program on PATH, or null. */
export function findOnPath(program: string): string | null {
  // PATH belongs to the system; it is no setting of Daylight's.
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, executableName(program))).find(isExecutable) ?? null;
}

export function executableName(program: string): string {
  return onWindows ? `${program}.exe` : program;
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const linuxTools = new Map<string, string | null>();

/** Returns the path of one of Linux's own tools, such as `prlimit`; null if it isn't installed or this isn't Linux. */
export function findLinuxTool(program: string): string | null {
  const known = linuxTools.get(program);
  if (known !== undefined) return known;
  const found = process.platform === 'linux' ? findOnPath(program) : null;
  linuxTools.set(program, found);
  return found;
}
