-- What waits for approval is counted by the user who asked.
CREATE INDEX staged_versions_by_actor ON staged_versions (actor_id);
CREATE INDEX tag_requests_by_actor ON tag_requests (actor_id);
