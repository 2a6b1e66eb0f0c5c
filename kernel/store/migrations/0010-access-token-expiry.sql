-- Access tokens end by themselves. Those that were made before there was an end get 90 days, so that no script stops at once.

ALTER TABLE users ADD COLUMN access_token_expires_at timestamptz;
UPDATE users SET access_token_expires_at = now() + interval '90 days' WHERE access_token_hash IS NOT NULL;
ALTER TABLE users ADD CONSTRAINT users_access_token_ends
  CHECK (access_token_hash IS NULL OR access_token_expires_at IS NOT NULL);
