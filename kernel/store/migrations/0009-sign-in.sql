-- How often a code was mailed, so that asking for another one sends the same again, and what a key of money was used for.

-- Codes under way were drawn in another way and cannot be sent again: whoever waits for one asks anew.
DELETE FROM mail_codes;
ALTER TABLE mail_codes
  -- Nobody's tries spoil a code any more: it is too long to be guessed.
  DROP COLUMN attempts,
  ADD COLUMN mails   integer     NOT NULL DEFAULT 1,
  ADD COLUMN sent_at timestamptz NOT NULL DEFAULT now();

-- Keys that callers gave to writes of money (Idempotency-Key), with a hash of what each was used for.
CREATE TABLE money_keys (
  key         text PRIMARY KEY,
  fingerprint bytea NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now()
);
