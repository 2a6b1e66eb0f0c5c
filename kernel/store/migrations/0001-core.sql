-- Who calls (users, sessions, tokens), where calls go (channels), what is configured (options), and who is told of changes.

CREATE TABLE users (
  id            integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  username      text NOT NULL,
  password_hash text NOT NULL,
  display_name  text NOT NULL DEFAULT '',
  email         text NOT NULL DEFAULT '',
  role          smallint NOT NULL DEFAULT 1 CHECK (role IN (1, 10, 100)),
  status        smallint NOT NULL DEFAULT 1 CHECK (status IN (1, 2)),
  "group"       text NOT NULL DEFAULT 'default',
  remark        text NOT NULL DEFAULT '',
  setting       jsonb NOT NULL DEFAULT '{}',
  created_at    timestamptz NOT NULL DEFAULT now(),
  last_login_at timestamptz,
  deleted_at    timestamptz
);
CREATE UNIQUE INDEX users_username_key ON users (lower(username)) WHERE deleted_at IS NULL;
-- One root, whoever races for it (setup has a single winner).
CREATE UNIQUE INDEX users_root_key ON users (role) WHERE role = 100 AND deleted_at IS NULL;

CREATE TABLE sessions (
  id_hash      bytea PRIMARY KEY,
  user_id      integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at   timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz NOT NULL,
  address      text NOT NULL DEFAULT '',
  user_agent   text NOT NULL DEFAULT ''
);
CREATE INDEX sessions_user_id_idx ON sessions (user_id);
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);

-- `limit_quota`, `used` and `held` belong to the ledger; everything else to the tokens area.
CREATE TABLE tokens (
  id                   integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id              integer NOT NULL REFERENCES users (id),
  name                 text NOT NULL,
  key_hash             bytea NOT NULL UNIQUE,
  key_sealed           text NOT NULL,
  key_tail             text NOT NULL,
  status               smallint NOT NULL DEFAULT 1 CHECK (status BETWEEN 1 AND 4),
  "group"              text NOT NULL DEFAULT '',
  cross_group_retry    boolean NOT NULL DEFAULT true,
  model_limits_enabled boolean NOT NULL DEFAULT false,
  model_limits         text[] NOT NULL DEFAULT '{}',
  allow_ips            text[] NOT NULL DEFAULT '{}',
  expires_at           timestamptz,
  limit_quota          bigint CHECK (limit_quota >= 0),
  used                 bigint NOT NULL DEFAULT 0,
  held                 bigint NOT NULL DEFAULT 0 CHECK (held >= 0),
  created_at           timestamptz NOT NULL DEFAULT now(),
  accessed_at          timestamptz,
  deleted_at           timestamptz
) WITH (fillfactor = 50);
CREATE INDEX tokens_user_id_idx ON tokens (user_id, id DESC) WHERE deleted_at IS NULL;

CREATE TABLE channels (
  id                  integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  type                integer NOT NULL,
  name                text NOT NULL,
  status              smallint NOT NULL DEFAULT 1 CHECK (status BETWEEN 1 AND 3),
  key_sealed          text NOT NULL DEFAULT '',
  base_url            text NOT NULL DEFAULT '',
  models              text[] NOT NULL DEFAULT '{}',
  groups              text[] NOT NULL DEFAULT '{default}',
  priority            bigint NOT NULL DEFAULT 0,
  weight              integer NOT NULL DEFAULT 0 CHECK (weight >= 0),
  model_mapping       jsonb NOT NULL DEFAULT '{}',
  param_override      jsonb NOT NULL DEFAULT '{}',
  status_code_mapping jsonb NOT NULL DEFAULT '{}',
  setting             jsonb NOT NULL DEFAULT '{}',
  settings            jsonb NOT NULL DEFAULT '{}',
  tag                 text NOT NULL DEFAULT '',
  remark              text NOT NULL DEFAULT '',
  test_model          text NOT NULL DEFAULT '',
  auto_ban            smallint NOT NULL DEFAULT 1,
  created_at          timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE options (
  key        text PRIMARY KEY,
  value      text NOT NULL,
  sealed     boolean NOT NULL DEFAULT false,
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- What changed, for the memory of every process. Rows are short-lived; NOTIFY is only the wake-up call.
CREATE TABLE changes (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  topic      text NOT NULL,
  row_id     text NOT NULL,
  -- Rows become visible in the order of commits, not of ids; readers tell by this which ones may still be to come.
  xact       xid8 NOT NULL DEFAULT pg_current_xact_id(),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX changes_xact_idx ON changes (xact);
CREATE INDEX changes_created_at_idx ON changes (created_at);

-- Facts of the installation that must outlive a process, such as the fingerprint of the master key.
CREATE TABLE facts (
  name  text PRIMARY KEY,
  value text NOT NULL
);
