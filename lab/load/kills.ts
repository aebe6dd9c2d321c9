import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '@/local/up/processes';
import type { Victim } from './options';
import type { PlannedKill } from './schedule';
import type { LoadSite } from './site';

/** What came of a kill. Milliseconds. */
export interface Kill {
  victim: Victim;
  /** After the start of the load. */
  at: number;
  /** From its end to its successor's start. */
  downMs: number;
  /** From the successor's start until it answered. */
  startMs: number;
  /** From the successor's start until the site said that everything works; null if it didn't. */
  healthyMs: number | null;
}

/** How long the site may take to notice that everything works, in milliseconds. */
const HEALTHY_TIMEOUT_MS = 120_000;

/** Kills services by plan, and starts each again as a supervisor does. @param startedAt of `performance.now()` */
export async function runKills(
  site: LoadSite,
  planned: readonly PlannedKill[],
  startedAt: number,
  signal: AbortSignal,
  announce: (line: string) => void,
): Promise<Kill[]> {
  const kills: Promise<Kill>[] = [];
  for (const { victim, at, downMs } of planned) {
    await delay(Math.max(0, startedAt + at - performance.now()), undefined, { signal }).catch(
      () => undefined,
    );
    if (signal.aborted) break;
    const service = site.victims[victim];
    await service.kill();
    announce(`killed ${service.name} for ${(downMs / 1000).toFixed(0)} s`);
    const killedAt = performance.now();
    await delay(downMs);
    const restartedAt = performance.now();
    await service.start();
    const kill = {
      victim,
      at: Math.round(killedAt - startedAt),
      downMs: Math.round(restartedAt - killedAt),
      startMs: Math.round(performance.now() - restartedAt),
    };
    // The next kill doesn't wait for the site to notice.
    kills.push(
      waitUntil(() => site.isHealthy(), HEALTHY_TIMEOUT_MS, 500).then((isHealthy) => ({
        ...kill,
        healthyMs: isHealthy ? Math.round(performance.now() - restartedAt) : null,
      })),
    );
  }
  return Promise.all(kills);
}
