CREATE TYPE "public"."job_kind" AS ENUM('video', 'previews', 'transcript');--> statement-breakpoint
CREATE TABLE "entry_jobs" (
	"entry_id" uuid NOT NULL,
	"kind" "job_kind" NOT NULL,
	"generation" integer DEFAULT 0 NOT NULL,
	"resends" integer DEFAULT 0 NOT NULL,
	"holder" text,
	"beat_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "entry_jobs_entry_id_kind_pk" PRIMARY KEY("entry_id","kind")
);
--> statement-breakpoint
CREATE TABLE "process_reports" (
	"id" text PRIMARY KEY NOT NULL,
	"role" text NOT NULL,
	"details" jsonb NOT NULL,
	"reported_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "upload_parts" (
	"entry_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"size" integer NOT NULL,
	"md5" text NOT NULL,
	CONSTRAINT "upload_parts_entry_id_number_pk" PRIMARY KEY("entry_id","number")
);
--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "etags_are_md5" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "entry_jobs" ADD CONSTRAINT "entry_jobs_entry_id_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."entries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upload_parts" ADD CONSTRAINT "upload_parts_entry_id_uploads_entry_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."uploads"("entry_id") ON DELETE cascade ON UPDATE no action;