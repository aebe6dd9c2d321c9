import { startOutboxPolling } from '@/lib/messaging/outbox/polling';

/** A server for the tests to kill: all it does is to look after the outbox. It ends with who has started it. */
process.stdin.resume().once('end', () => process.exit());
startOutboxPolling();
