-- How people may come in, and what is remembered of where they came from.

ALTER TABLE users
  -- The account is opened by a passkey alone: its password, if there is one, opens nothing.
  ADD COLUMN password_off boolean NOT NULL DEFAULT false,
  -- What the user name looks like (UTS 39 skeleton): null for names from before, which stay as they are.
  ADD COLUMN name_skeleton text;
CREATE UNIQUE INDEX users_name_skeleton_key ON users (name_skeleton)
  WHERE name_skeleton IS NOT NULL AND deleted_at IS NULL;

-- Browsers and networks somebody has signed in from: a sign-in from another one is told to them.
CREATE TABLE sign_in_places (
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- Keyed hash of network and kind of browser.
  place   bytea NOT NULL,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, place)
);
CREATE INDEX sign_in_places_seen_at_idx ON sign_in_places (seen_at);
