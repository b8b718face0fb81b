-- 1 where those who may deploy to a guard's environment wait for the approval of another user as well.
ALTER TABLE tag_guards ADD COLUMN deployers_wait INTEGER NOT NULL DEFAULT 0 CHECK (deployers_wait IN (0, 1));
