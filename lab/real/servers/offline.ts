import { chmodSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { copyProject } from '../copy-project';
import { canDropNetwork, giveToUser, npmAsUser, plainUser } from '../plain-user';
import type { RealServer } from './server';

/** The versions of Node, each of which the `node` package on npm installs. */
export const NODE_MAJORS = ['20', '24'];

/**
 * README's first command without a network, as a user without rights who has Node and no other program. Packages are
 * installed before. Its test starts Daylight.
 */
export const offline: RealServer = {
  name: 'offline',
  programs: ['bwrap', 'git', 'npm', 'sh'],
  service: null,
  tests: { unit: ['lab/real/offline.test'], e2e: [] },
  differences: {},
  findObstacle: ({ bwrap = '' }) =>
    canDropNetwork(bwrap) ? null : 'this system doesn’t let bubblewrap create a network namespace',
  async start({ programs, dir }) {
    for (const folder of [dir, dirname(dir)]) chmodSync(folder, 0o711);
    const project = join(dir, 'daylight');
    copyProject(programs.git ?? '', project);
    const installer = plainUser(join(dir, 'installer'), process.execPath);
    for (const folder of [project, join(dir, 'installer')]) giveToUser(installer, folder);
    console.log('offline: installing packages');
    npmAsUser(installer, project, ['ci', '--include=dev', '--include=optional']);
    for (const major of NODE_MAJORS) {
      const folder = join(dir, `node-${major}`);
      mkdirSync(folder);
      giveToUser(installer, folder);
      npmAsUser(installer, folder, ['install', '--prefix', folder, `node@${major}`]);
    }
    return { env: { OFFLINE_DIR: dir, OFFLINE_BWRAP: programs.bwrap ?? '' }, stop: async () => undefined };
  },
};
