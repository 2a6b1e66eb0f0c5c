-- Codes that are redeemed for credit.

-- A code is found by its SHA-256: it holds 128 random bits, so that nobody finds it from that. What admins are shown is
-- sealed. A code is locked before the account it credits.
CREATE TABLE redemption_codes (
  id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Codes that were made together.
  batch       text NOT NULL CHECK (batch <> ''),
  creator_id  integer NOT NULL REFERENCES users (id),
  code_hash   bytea NOT NULL UNIQUE,
  code_sealed text NOT NULL,
  name        text NOT NULL,
  -- Credited by each use.
  quota       bigint NOT NULL CHECK (quota > 0),
  is_on       boolean NOT NULL DEFAULT true,
  -- One user uses a code once.
  uses_max    integer NOT NULL CHECK (uses_max BETWEEN 1 AND 100000),
  uses        integer NOT NULL DEFAULT 0,
  created_at  timestamptz NOT NULL,
  -- Absent: never.
  expires_at  timestamptz,
  CONSTRAINT redemption_codes_uses_check CHECK (uses BETWEEN 0 AND uses_max)
);
CREATE INDEX redemption_codes_batch_idx ON redemption_codes (batch);

CREATE TABLE redemptions (
  code_id     integer NOT NULL REFERENCES redemption_codes (id) ON DELETE CASCADE,
  user_id     integer NOT NULL REFERENCES users (id),
  redeemed_at timestamptz NOT NULL,
  PRIMARY KEY (code_id, user_id)
);
CREATE INDEX redemptions_user_id_idx ON redemptions (user_id);
