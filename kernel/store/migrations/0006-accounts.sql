-- How people come in and prove who they are, what they are told, and what the gateway remembers of who did what.

ALTER TABLE users
  -- Hash of the one access token scripts use (SHA-256), and its last characters.
  ADD COLUMN access_token_hash bytea,
  ADD COLUMN access_token_tail text NOT NULL DEFAULT '',
  -- The owner has shown that the address of `email` is theirs.
  ADD COLUMN email_verified    boolean NOT NULL DEFAULT false,
  -- Grows with everything that ends sessions: a sign-in that began before opens none.
  ADD COLUMN sign_in_epoch     integer NOT NULL DEFAULT 0,
  ADD COLUMN aff_code          text,
  ADD COLUMN inviter_id        integer REFERENCES users (id),
  -- Rewards for invitations not yet moved into the wallet, and all there ever were. Quota.
  ADD COLUMN aff_quota         bigint NOT NULL DEFAULT 0 CHECK (aff_quota >= 0),
  ADD COLUMN aff_history       bigint NOT NULL DEFAULT 0,
  ADD COLUMN aff_count         integer NOT NULL DEFAULT 0,
  -- Secrets of the user's notifications: name → sealed text (AUTH-10).
  ADD COLUMN secrets           jsonb NOT NULL DEFAULT '{}',
  -- The low-balance notice of this stretch below the threshold was sent.
  ADD COLUMN quota_warned      boolean NOT NULL DEFAULT false,
  -- What a search for users looks through: one plain LIKE over it is a third of three ILIKEs.
  ADD COLUMN search            text NOT NULL GENERATED ALWAYS AS (
    lower(username || E'\n' || display_name || E'\n' || email)) STORED;
CREATE UNIQUE INDEX users_access_token_key ON users (access_token_hash) WHERE access_token_hash IS NOT NULL;
CREATE UNIQUE INDEX users_aff_code_key ON users (aff_code) WHERE aff_code IS NOT NULL;
-- Nothing kept addresses apart before; of several users with one address the oldest keeps it.
UPDATE users SET email = '' WHERE email <> '' AND deleted_at IS NULL AND EXISTS (
  SELECT FROM users older WHERE lower(older.email) = lower(users.email)
    AND older.deleted_at IS NULL AND older.id < users.id);
CREATE UNIQUE INDEX users_email_key ON users (lower(email)) WHERE email <> '' AND deleted_at IS NULL;
CREATE INDEX users_inviter_id_idx ON users (inviter_id) WHERE inviter_id IS NOT NULL;

-- Who was invited by whom, and what the inviter got for it: once per newcomer.
CREATE TABLE invitations (
  invitee_id integer PRIMARY KEY REFERENCES users (id),
  inviter_id integer NOT NULL REFERENCES users (id),
  reward     bigint NOT NULL CHECK (reward >= 0),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX invitations_inviter_id_idx ON invitations (inviter_id);

ALTER TABLE sessions
  -- How a session is named to its owner; the id itself is nobody's business.
  ADD COLUMN sid    uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
  -- How it was opened: password, totp, passkey, oauth, register.
  ADD COLUMN method text NOT NULL DEFAULT 'password';

-- A second factor from an app. Not in force while `enabled_at` is null.
CREATE TABLE totp (
  user_id       integer PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  secret_sealed text NOT NULL,
  enabled_at    timestamptz,
  -- The last time step that was accepted: no code counts twice.
  last_step     bigint NOT NULL DEFAULT 0,
  failures      integer NOT NULL DEFAULT 0,
  locked_until  timestamptz,
  created_at    timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE recovery_codes (
  user_id   integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  PRIMARY KEY (user_id, code_hash)
);

CREATE TABLE passkeys (
  id            integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id       integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  credential_id bytea NOT NULL UNIQUE,
  public_key    bytea NOT NULL,
  counter       bigint NOT NULL DEFAULT 0,
  device_type   text NOT NULL DEFAULT '',
  backed_up     boolean NOT NULL DEFAULT false,
  transports    text[] NOT NULL DEFAULT '{}',
  name          text NOT NULL DEFAULT '',
  created_at    timestamptz NOT NULL DEFAULT now(),
  last_used_at  timestamptz
);
CREATE INDEX passkeys_user_id_idx ON passkeys (user_id);

-- Secrets that count once: sign-ins under way, states of OAuth, proofs, challenges. `data` is sealed.
CREATE TABLE one_time (
  hash       bytea PRIMARY KEY,
  kind       text NOT NULL,
  user_id    integer REFERENCES users (id) ON DELETE CASCADE,
  session_id bytea,
  data       text NOT NULL,
  attempts   integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX one_time_expires_at_idx ON one_time (expires_at);
CREATE INDEX one_time_user_id_idx ON one_time (user_id) WHERE user_id IS NOT NULL;

-- Codes and links sent by mail, one per address and purpose.
CREATE TABLE mail_codes (
  email      text NOT NULL,
  purpose    text NOT NULL,
  code_hash  bytea NOT NULL,
  attempts   integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (email, purpose)
);

-- Who somebody is at other places. `provider`: name of the plugin, or slug of a provider an admin defined.
CREATE TABLE oauth_identities (
  id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id    integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  provider   text NOT NULL,
  subject    text NOT NULL,
  name       text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (provider, subject),
  UNIQUE (user_id, provider)
);

-- Providers an admin defined: what the plugin `oauth.custom` takes of each stands in `settings`.
CREATE TABLE oauth_providers (
  id            integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  slug          text NOT NULL UNIQUE,
  name          text NOT NULL,
  icon          text NOT NULL DEFAULT '',
  enabled       boolean NOT NULL DEFAULT false,
  settings      jsonb NOT NULL DEFAULT '{}',
  secret_sealed text NOT NULL DEFAULT '',
  created_at    timestamptz NOT NULL DEFAULT now(),
  updated_at    timestamptz NOT NULL DEFAULT now()
);

-- Notices on their way, written with what they tell of and delivered afterwards. `payload` is sealed.
CREATE TABLE outbox (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Says what must not be told twice.
  unique_key   text UNIQUE,
  user_id      integer REFERENCES users (id) ON DELETE CASCADE,
  type         text NOT NULL,
  payload      text NOT NULL,
  state        text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'failed')),
  attempts     integer NOT NULL DEFAULT 0,
  next_at      timestamptz NOT NULL DEFAULT now(),
  lease_until  timestamptz,
  reason       text NOT NULL DEFAULT '',
  created_at   timestamptz NOT NULL DEFAULT now(),
  finished_at  timestamptz
);
CREATE INDEX outbox_waiting_idx ON outbox (next_at) WHERE state = 'waiting';
CREATE INDEX outbox_finished_at_idx ON outbox (finished_at) WHERE state <> 'waiting';
CREATE INDEX outbox_state_idx ON outbox (state, id DESC);
CREATE INDEX outbox_user_id_idx ON outbox (user_id, id DESC) WHERE user_id IS NOT NULL;

-- Who did what. Rows are added and never touched again; each holds the hash of the one before it on the same day (UTC).
CREATE TABLE audit_log (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  created_at    timestamptz NOT NULL,
  actor_id      integer NOT NULL,
  actor_name    text NOT NULL,
  actor_role    smallint NOT NULL,
  via           text NOT NULL,
  address       text NOT NULL,
  action        text NOT NULL,
  object        text NOT NULL DEFAULT '',
  detail        text NOT NULL DEFAULT '',
  before_hash   bytea,
  after_hash    bytea,
  request_id    text NOT NULL,
  previous_hash bytea,
  hash          bytea NOT NULL
);
CREATE INDEX audit_log_created_at_idx ON audit_log (created_at, id);
CREATE INDEX audit_log_actor_idx ON audit_log (actor_id, id DESC);
CREATE INDEX audit_log_actor_name_idx ON audit_log (actor_name, id DESC);
CREATE INDEX audit_log_action_idx ON audit_log (action, id DESC);
CREATE INDEX audit_log_object_idx ON audit_log (object, id DESC);
CREATE INDEX audit_log_request_id_idx ON audit_log (request_id);

CREATE FUNCTION audit_log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only';
END $$;
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only();

-- Processes that serve this database, as they last said themselves.
CREATE TABLE system_instances (
  node_name    text PRIMARY KEY,
  started_at   timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  info         jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX system_instances_last_seen_at_idx ON system_instances (last_seen_at);
