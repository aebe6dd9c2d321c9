CREATE TABLE "transcript_passages" (
	"entry_id" uuid NOT NULL,
	"part" integer NOT NULL,
	"start_ms" integer NOT NULL,
	"end_ms" integer NOT NULL,
	"words" jsonb NOT NULL,
	"voiced" real NOT NULL,
	"log_probability" real NOT NULL,
	"tokens" integer NOT NULL,
	CONSTRAINT "transcript_passages_entry_id_part_start_ms_pk" PRIMARY KEY("entry_id","part","start_ms")
);
--> statement-breakpoint
CREATE TABLE "vocabulary" (
	"user_id" uuid NOT NULL,
	"word" text NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "vocabulary_user_id_word_pk" PRIMARY KEY("user_id","word")
);
--> statement-breakpoint
ALTER TABLE "entries" ADD COLUMN "transcript_progress" real;--> statement-breakpoint
ALTER TABLE "transcript_parts" ADD COLUMN "log_probability" real;--> statement-breakpoint
ALTER TABLE "transcript_parts" ADD COLUMN "tokens" integer;--> statement-breakpoint
ALTER TABLE "transcripts" ADD COLUMN "log_probability" real;--> statement-breakpoint
ALTER TABLE "transcripts" ADD COLUMN "draft" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "transcript_passages" ADD CONSTRAINT "transcript_passages_entry_id_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."entries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vocabulary" ADD CONSTRAINT "vocabulary_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;