-- Until now, a run saved no waveform for a video without sound, and no row if it could make nothing or was lost.
UPDATE "previews" SET "waveform" = '' WHERE "waveform" IS NULL;--> statement-breakpoint
INSERT INTO "previews" ("entry_id") SELECT "entry_id" FROM "entry_jobs" WHERE "kind" = 'previews' ON CONFLICT DO NOTHING;--> statement-breakpoint
CREATE INDEX "previews_unfinished" ON "previews" USING btree ("entry_id") WHERE waveform is null;
