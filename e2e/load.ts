import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import { createTag, listTags } from '@/lib/journal/tags/contract';
import type { Client } from './client';

/** How many clients send requests at once. */
const CLIENTS = 4;

interface Totals {
  reads: number;
  /** Names of tags whose creation was acknowledged. */
  written: string[];
  failedReads: string[];
  failedWrites: string[];
}

export interface Load {
  totals: Totals;
  /** Waits until this many more requests were answered. */
  sendMore(requests: number): Promise<void>;
  /** Stops, and waits for what's still under way. */
  stop(): Promise<void>;
}

/** Sends reads and writes without a pause, one after the other in each of several clients, until it's stopped. */
export function startLoad(api: Client): Load {
  const totals: Totals = { reads: 0, written: [], failedReads: [], failedWrites: [] };
  let stopping = false;

  const attempt = async (failed: string[], work: () => Promise<Response>): Promise<boolean> => {
    const outcome = await work().then(
      async (response) => (response.ok ? '' : `${response.status} ${await response.text()}`),
      (error: Error) => `${error.message}: ${error.cause}`,
    );
    if (outcome) failed.push(outcome);
    return outcome === '';
  };
  const sendAll = async () => {
    while (!stopping) {
      const name = randomUUID();
      const write = () => api.sendOperation(createTag, { body: { category_name: name } });
      if (await attempt(totals.failedWrites, write)) totals.written.push(name);
      for (const read of [() => api.sendOperation(listTags), () => api.send('GET', '/journals')]) {
        if (await attempt(totals.failedReads, read)) totals.reads += 1;
      }
    }
  };
  const running = Array.from({ length: CLIENTS }, sendAll);
  const answered = () => totals.reads + totals.written.length;
  return {
    totals,
    sendMore: async (requests) => {
      const enough = answered() + requests;
      await expect.poll(answered, { timeout: 120_000, intervals: [50] }).toBeGreaterThanOrEqual(enough);
    },
    stop: async () => {
      stopping = true;
      await Promise.all(running);
    },
  };
}
