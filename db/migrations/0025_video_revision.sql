ALTER TABLE "entries" ADD COLUMN "video_version" text;--> statement-breakpoint
ALTER TABLE "entries" ADD COLUMN "video_revision" smallint;