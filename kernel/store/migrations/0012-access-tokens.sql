-- Access tokens with a name, scopes, an end and their last use, up to twenty to a user; until now each user had one.

CREATE TABLE access_tokens (
  id                integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id           integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name              text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 64),
  -- SHA-256 of the text of the token, which is kept nowhere.
  token_hash        bytea NOT NULL UNIQUE,
  scopes            text[] NOT NULL CHECK (cardinality(scopes) > 0),
  created_at        timestamptz NOT NULL DEFAULT now(),
  expires_at        timestamptz NOT NULL,
  last_used_at      timestamptz,
  -- Empty: never used, or not known from where.
  last_used_address text NOT NULL DEFAULT '',
  UNIQUE (user_id, name)
);

-- When those of today were made was not kept: they end when they would have ended.
INSERT INTO access_tokens (user_id, name, token_hash, scopes, expires_at)
SELECT id, 'default', access_token_hash, '{all}', access_token_expires_at
FROM users WHERE access_token_hash IS NOT NULL;

ALTER TABLE users
  DROP COLUMN access_token_hash,
  DROP COLUMN access_token_tail,
  DROP COLUMN access_token_expires_at;
