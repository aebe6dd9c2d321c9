import { sql } from 'drizzle-orm';
import { previews } from '@/db/schema/previews';

/** An entry's waveform as base64, or null if it has none: an empty one means that none can be made. */
export const waveformColumn = sql<string | null>`nullif(${previews.waveform}, '')`;
