-- Receipts of paid orders, their numbers, and to whom they are made out.

-- The row of a series is locked by whoever issues, so that its numbers have no gap.
CREATE TABLE payment_receipt_series (
  series      text PRIMARY KEY,
  last_number bigint NOT NULL DEFAULT 0 CHECK (last_number >= 0)
);
-- Of payments that moved money, and of tests.
INSERT INTO payment_receipt_series (series) VALUES ('paid'), ('test');

-- What a receipt states is pinned when it is issued: later edits of names, addresses and plans never touch it.
CREATE TABLE payment_receipts (
  series       text NOT NULL REFERENCES payment_receipt_series (series),
  number       bigint NOT NULL CHECK (number > 0),
  -- The number as it is printed.
  label        text NOT NULL UNIQUE,
  order_no     text NOT NULL UNIQUE REFERENCES payment_orders (order_no),
  user_id      integer NOT NULL REFERENCES users (id),
  issued_at    timestamptz NOT NULL,
  paid_at      timestamptz NOT NULL,
  -- Title of the payment gateway.
  paid_by      text NOT NULL,
  -- What was paid, in minor units; the lines add up to it.
  amount_minor bigint NOT NULL CHECK (amount_minor >= 0),
  currency     text NOT NULL,
  tax_note     text NOT NULL,
  lines        jsonb NOT NULL,
  seller       jsonb NOT NULL,
  buyer        jsonb NOT NULL,
  PRIMARY KEY (series, number)
);
CREATE INDEX payment_receipts_issued_idx ON payment_receipts (issued_at DESC, number DESC);
CREATE INDEX payment_receipts_user_idx ON payment_receipts (user_id, issued_at DESC);

CREATE FUNCTION payment_receipts_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a receipt that was issued stays as it is';
END
$$;
CREATE TRIGGER payment_receipts_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON payment_receipts
  FOR EACH STATEMENT EXECUTE FUNCTION payment_receipts_refuse_change();

-- To whom receipts of a user are made out, as the user states it; without a row by the name of the account.
CREATE TABLE billing_details (
  user_id    integer PRIMARY KEY REFERENCES users (id),
  name       text NOT NULL,
  -- Several lines.
  address    text NOT NULL,
  tax_id     text NOT NULL,
  updated_at timestamptz NOT NULL
);
