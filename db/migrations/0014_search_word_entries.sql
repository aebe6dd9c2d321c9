DROP INDEX "search_words_word";--> statement-breakpoint
ALTER TABLE "search_words" ADD CONSTRAINT "search_words_user_id_year_word_pk" PRIMARY KEY("user_id","year","word");--> statement-breakpoint
ALTER TABLE "search_words" ADD COLUMN "entries" integer NOT NULL;