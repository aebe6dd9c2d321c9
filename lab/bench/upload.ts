import { join } from 'node:path';
import { spawnServer } from './app';
import type { Benchmark } from './bench';
import { interleave, measurement } from './measurements';
import { canReadProcesses, peakMemory } from './processes';
import { randomContent, reserve, sendForm } from './s3-upload';

const MEGABYTES = 300;
const ROUNDS = 3;

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

/** An upload through the local storage beside the plainest server that writes the same bytes to the same disk. */
export const upload: Benchmark = {
  linuxOnly: false,
  async measure(bench) {
    const app = await bench.app();
    const { cookie } = await bench.uploader();
    const session = await cookie();
    const content = randomContent(MEGABYTES);
    const file = join(bench.folder, 'plain');
    const plain = await spawnServer(['--import', 'tsx', 'lab/bench/plain-server.ts', file], {
      ready: 'Ready on ',
    });
    const port = /Ready on (\d+)/.exec(plain.output())?.[1];
    const throughStorage = async () => {
      const { form } = await reserve(app, session, content.size);
      await sendForm(form, content);
    };
    const measurements = {
      ours: () => seconds(throughStorage),
      limit: () => seconds(() => sendForm({ url: `http://127.0.0.1:${port}/`, fields: {} }, content)),
    };
    const { ours, limit } = await interleave(ROUNDS, measurements).finally(plain.stop);
    const time = measurement(`upload of ${MEGABYTES} MB`, { unit: 's', ours, limit, bar: 3 });
    if (!canReadProcesses) return [time];
    const [inApp = 0, inParts = 0] = await peakMemory([app.pid, app.partsPid], throughStorage);
    return [
      time,
      measurement('memory meanwhile, the app', { unit: 'MB', ours: inApp / 1e6, limit: 500, bar: 1 }),
      measurement('memory meanwhile, storage', { unit: 'MB', ours: inParts / 1e6, limit: 500, bar: 1 }),
    ];
  },
};
