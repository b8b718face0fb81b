-- Milliseconds until the first byte of another registry's response must be here.
ALTER TABLE upstreams ADD COLUMN timeout_milliseconds INTEGER NOT NULL DEFAULT 5000;
