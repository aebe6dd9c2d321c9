/** What browsers say about their connection that measure it (Network Information API): those built on Chromium. */
export interface Connection {
  /** Whether the person has asked for less data. */
  saveData?: boolean;
  /** `slow-2g`, `2g`, `3g`, or `4g`, which stands for everything faster. */
  effectiveType?: string;
  /** In Mbit/s, at most 10. */
  downlink?: number;
}

/**
 * In Mbit/s. Before it has measured anything, Chromium gives what's typical for the kind of network, from 1.456 for a cable,
 * changed by up to a tenth. Anything above would show small pictures on fast connections.
 */
const SLOW_DOWNLINK = 1.3;

/** Returns whether a connection is slow, or costs what's sent over it. */
export function isSlowOrMetered({ saveData, effectiveType, downlink }: Connection): boolean {
  return (
    saveData === true ||
    /^(slow-2g|2g|3g)$/.test(effectiveType ?? '') ||
    (downlink ?? Number.POSITIVE_INFINITY) < SLOW_DOWNLINK
  );
}

/** Returns what this browser says about its connection; nothing if it doesn't measure it. */
export const currentConnection = (): Connection =>
  (navigator as { connection?: Connection }).connection ?? {};
