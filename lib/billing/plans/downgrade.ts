import { formatBytes, formatDuration } from './shared/format';
import { PLAN_LIMITS, type PlanType } from './shared/limits';

/** What the library holds now, reservations included: videos, bytes of their sources, milliseconds. */
export interface Usage {
  videos: number;
  bytes: number;
  ms: number;
}

/** By how much the use is too large for a plan, in sentences; empty when it fits. */
export function downgradeBlocker(plan: PlanType, usage: Usage): string {
  const limits = PLAN_LIMITS[plan];
  const seconds = Math.ceil(usage.ms / 1000);
  const sentences: string[] = [];
  if (usage.bytes > limits.bytes) {
    const over = formatBytes(usage.bytes - limits.bytes, 'up');
    sentences.push(
      `You use ${formatBytes(usage.bytes)}; ${plan} holds ${formatBytes(limits.bytes)}. Delete ${over} first.`,
    );
  }
  if (usage.videos > limits.videos) {
    const over = usage.videos - limits.videos;
    sentences.push(
      `You have ${usage.videos.toLocaleString('en-US')} videos; ${plan} holds ${limits.videos}. Delete ${over.toLocaleString('en-US')} first.`,
    );
  }
  if (seconds > limits.seconds) {
    const over = formatDuration(seconds - limits.seconds);
    sentences.push(
      `Your videos last ${formatDuration(seconds)}; ${plan} holds ${formatDuration(limits.seconds)}. Delete ${over} first.`,
    );
  }
  return sentences.join(' ');
}
