-- Access tokens of root that move balances with nobody at hand to verify, up to a limit a day.

-- Quota, credits and debits together. Absent: the token moves none.
ALTER TABLE access_tokens ADD COLUMN daily_credit bigint CHECK (daily_credit > 0);

CREATE TABLE access_token_credits (
  token_id integer NOT NULL REFERENCES access_tokens (id) ON DELETE CASCADE,
  -- Of UTC.
  day      date NOT NULL,
  quota    bigint NOT NULL CHECK (quota > 0),
  PRIMARY KEY (token_id, day)
);
