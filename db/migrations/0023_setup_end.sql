-- The first account ends the setup, however it's made, and also if a previous release makes it. Later ones change nothing.
CREATE FUNCTION setup_ended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE setup SET ended_at = now(), code_hash = NULL WHERE ended_at IS NULL;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- It waits for accounts that are being made, so that the next statement sees them.
CREATE TRIGGER setup_ended AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION setup_ended();
--> statement-breakpoint
INSERT INTO setup (ended_at) SELECT CASE WHEN EXISTS (SELECT FROM users) THEN now() END;
