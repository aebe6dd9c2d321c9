import { index, integer, jsonb, pgEnum, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { timestamptz } from './columns';
import { entryColumn } from './entries';

export const jobKind = pgEnum('job_kind', ['video', 'previews', 'transcript']);

/** The current run of each entry's jobs, so that a run that's gone is noticed and two never work at once. */
export const entryJobs = pgTable(
  'entry_jobs',
  {
    entryId: entryColumn(),
    kind: jobKind().notNull(),
    /** Carried by the event that started the run. Runs of an earlier generation stop. */
    generation: integer().notNull().default(0),
    /** How often the job was started again because its run was gone. */
    resends: integer().notNull().default(0),
    /** How many attempts in a row have failed for a reason that a wait doesn't fix. */
    failures: integer().notNull().default(0),
    /** The step attempt that's running; null between steps. */
    holder: text(),
    /** The attempt that asks the holder to stop, and waits until it has. */
    successor: text(),
    /** When the run was last heard from; in the future while it waits for a retry at a known time. */
    beatAt: timestamptz('beat_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.entryId, table.kind] }),
    index('entry_jobs_beat').on(table.beatAt),
  ],
);

/** What each process last reported about itself, for health checks. */
export const processReports = pgTable('process_reports', {
  /** Names the process, or the check. */
  id: text().primaryKey(),
  role: text({ enum: ['worker', 'jobs', 'registration'] }).notNull(),
  details: jsonb().$type<Record<string, string | number | boolean | null>>().notNull(),
  reportedAt: timestamptz('reported_at').notNull().defaultNow(),
});
