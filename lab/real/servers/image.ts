import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '@/local/up/data-dir';
import { buildImage } from '../image/build-image';
import { parseDockerfile } from '../image/dockerfile';
import { inngestSelfHosted } from './inngest';
import type { RealServer } from './server';
import { versitygw } from './versitygw';

/**
 * The image of the Dockerfile as a folder, built without Docker, with storage and Inngest as in compose.yaml. Needs
 * root. The first build takes long, because it compiles ffmpeg.
 */
export const image: RealServer = {
  name: 'image',
  programs: ['bwrap', 'debootstrap', ...versitygw.programs, ...inngestSelfHosted.programs],
  service: null,
  tests: { unit: ['lab/real/image.test'], e2e: [] },
  differences: {},
  findObstacle: () => (process.getuid?.() === 0 ? null : 'building an image takes root'),
  async start(options) {
    const cache = join(projectRoot, 'node_modules', '.cache', 'daylight-image');
    mkdirSync(cache, { recursive: true });
    const stages = parseDockerfile(readFileSync(join(projectRoot, 'deploy/Dockerfile'), 'utf8'));
    const root = buildImage(stages, options.dir, cache);
    const storage = await versitygw.start(options);
    try {
      const jobs = await inngestSelfHosted.start(options);
      return {
        env: { ...storage.env, ...jobs.env, IMAGE_ROOT: root },
        stop: async () => {
          await jobs.stop();
          await storage.stop();
        },
      };
    } catch (error) {
      await storage.stop();
      throw error;
    }
  },
};
