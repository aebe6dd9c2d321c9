-- search_words gets a primary key and a count. Its rows may repeat and have no count, so it starts over empty:
-- *_search_word_counts.sql fills it from entry_search, in the same transaction.
DROP TRIGGER search_forget ON entry_search;
--> statement-breakpoint
DROP FUNCTION search_forget();
--> statement-breakpoint
TRUNCATE search_words;
