import type { RealServer } from './server';

/**
 * Clean Debians with systemd as process 1, on which the guide to one server is followed word by word. Its test boots
 * them, each in a network of its own. Needs root and 15 minutes.
 */
export const cleanServer: RealServer = {
  name: 'clean-server',
  programs: [
    ...['mmdebstrap', 'systemd-nspawn', 'slirp4netns', 'ip', 'nsenter', 'openssl', 'git'],
    ...['inngest', 'versitygw'],
  ],
  service: null,
  tests: { unit: ['lab/real/clean-server'], e2e: [] },
  differences: {},
  findObstacle: () => (process.getuid?.() === 0 ? null : 'booting a system takes root'),
  start: async ({ programs, dir }) => ({
    env: {
      CLEAN_SERVER_DIR: dir,
      CLEAN_SERVER_INNGEST: programs.inngest ?? '',
      CLEAN_SERVER_VERSITYGW: programs.versitygw ?? '',
    },
    stop: async () => undefined,
  }),
};
