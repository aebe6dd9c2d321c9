CREATE TABLE "entry_search" (
	"entry_id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"date" date NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"vector" "tsvector" NOT NULL,
	"words" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "search_words" (
	"user_id" uuid NOT NULL,
	"year" smallint NOT NULL,
	"word" text NOT NULL
);
--> statement-breakpoint
DROP INDEX "entries_newest";--> statement-breakpoint
DROP INDEX "notes_newest";--> statement-breakpoint
ALTER TABLE "entry_search" ADD CONSTRAINT "entry_search_entry_id_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."entries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "search_words" ADD CONSTRAINT "search_words_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "entry_search_vector" ON "entry_search" USING gin ("vector") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "search_words_word" ON "search_words" USING btree ("user_id","year","word");--> statement-breakpoint
CREATE INDEX "entries_newest" ON "entries" USING btree ("user_id","date" DESC NULLS FIRST,"created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE trashed_at is null and video_status <> 'uploading';--> statement-breakpoint
CREATE INDEX "notes_newest" ON "notes" USING btree ("entry_id","created_at" DESC NULLS FIRST);