CREATE TYPE "public"."export_status" AS ENUM('preparing', 'ready', 'failed');--> statement-breakpoint
CREATE TABLE "entry_files" (
	"entry_id" uuid NOT NULL,
	"name" text NOT NULL,
	"bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"crc32" bigint NOT NULL,
	"playable" boolean,
	CONSTRAINT "entry_files_entry_id_name_pk" PRIMARY KEY("entry_id","name")
);
--> statement-breakpoint
CREATE TABLE "exports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"status" "export_status" DEFAULT 'preparing' NOT NULL,
	"error" text,
	"entry_ids" uuid[],
	"from_year" integer,
	"to_year" integer,
	"file_name" text NOT NULL,
	"notify" boolean NOT NULL,
	"bytes" bigint,
	"progress" integer DEFAULT 0 NOT NULL,
	"layout_id" uuid,
	"multipart_id" text,
	"generation" integer DEFAULT 1 NOT NULL,
	"beat_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "entry_files" ADD CONSTRAINT "entry_files_entry_id_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."entries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "exports" ADD CONSTRAINT "exports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "entry_files_sha256" ON "entry_files" USING btree ("sha256");--> statement-breakpoint
CREATE INDEX "exports_user" ON "exports" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "exports_expires" ON "exports" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "exports_beat" ON "exports" USING btree ("beat_at");