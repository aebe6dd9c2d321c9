CREATE TABLE "imports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"undone_at" timestamp (3) with time zone,
	"undo_finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "imported_entries" ALTER COLUMN "source_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "imported_entries" ALTER COLUMN "sha256" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "tags" ADD COLUMN "import_id" uuid;--> statement-breakpoint
ALTER TABLE "vocabulary" ADD COLUMN "import_id" uuid;--> statement-breakpoint
ALTER TABLE "imported_entries" ADD COLUMN "import_id" uuid;--> statement-breakpoint
ALTER TABLE "imported_entries" ADD COLUMN "clip_id" text;--> statement-breakpoint
ALTER TABLE "imported_entries" ADD COLUMN "recorded_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "imported_entries" ADD COLUMN "placeholder_title" text;--> statement-breakpoint
ALTER TABLE "hidden_memories" ADD COLUMN "import_id" uuid;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "imports_newest" ON "imports" USING btree ("user_id","created_at");--> statement-breakpoint
ALTER TABLE "tags" ADD CONSTRAINT "tags_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vocabulary" ADD CONSTRAINT "vocabulary_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imported_entries" ADD CONSTRAINT "imported_entries_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hidden_memories" ADD CONSTRAINT "hidden_memories_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "entries_size" ON "entries" USING btree ("user_id","bytes") WHERE trashed_at is null and video_status <> 'uploading';--> statement-breakpoint
CREATE INDEX "tags_import" ON "tags" USING btree ("import_id") WHERE import_id is not null;--> statement-breakpoint
CREATE INDEX "vocabulary_import" ON "vocabulary" USING btree ("import_id") WHERE import_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "imported_entries_clip" ON "imported_entries" USING btree ("import_id","clip_id");--> statement-breakpoint
CREATE INDEX "hidden_memories_import" ON "hidden_memories" USING btree ("import_id") WHERE import_id is not null;