-- Of a change over HTTP, the token that it was made with: its name and the end of its secret, as lists of tokens show them.
ALTER TABLE audit_events ADD COLUMN token TEXT;
