-- Payments that are taken while the payer is away: what they agreed to, and when how much is taken.

-- A later mandate of the same user and gateway replaces the earlier one. What is ended is forgotten. The user is locked
-- before it.
CREATE TABLE payment_mandates (
  id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id     integer NOT NULL REFERENCES users (id),
  gateway     text NOT NULL CHECK (gateway <> ''),
  -- As the provider calls it: shown to nobody. Null: it was ended.
  mandate     text CHECK (mandate <> ''),
  -- No real money moves by it.
  is_test     boolean NOT NULL,
  -- The order whose payment brought it.
  order_no    text NOT NULL UNIQUE REFERENCES payment_orders (order_no),
  created_at  timestamptz NOT NULL,
  -- Orders that were made before are still charged by it.
  replaced_at timestamptz,
  ended_at    timestamptz,
  CONSTRAINT payment_mandates_ended_check CHECK ((mandate IS NULL) = (ended_at IS NOT NULL))
);
CREATE UNIQUE INDEX payment_mandates_current_idx ON payment_mandates (user_id, gateway)
  WHERE replaced_at IS NULL AND ended_at IS NULL;
CREATE INDEX payment_mandates_kept_idx ON payment_mandates (user_id) WHERE ended_at IS NULL;

ALTER TABLE payment_orders
  -- The payer agrees to payments while they are away.
  ADD COLUMN keeps_mandate boolean NOT NULL DEFAULT false,
  -- It is such a payment: taken by a mandate, the one that was in force when the order was made.
  ADD COLUMN automatic boolean NOT NULL DEFAULT false,
  ADD COLUMN mandate_id integer REFERENCES payment_mandates (id),
  -- Units of account an automatic order buys, the bonus not included.
  ADD COLUMN units integer CHECK (units > 0),
  ADD CONSTRAINT payment_orders_automatic_check
    CHECK (automatic = (mandate_id IS NOT NULL) AND automatic = (units IS NOT NULL));
-- One at a time: while one is undecided no other is made.
CREATE UNIQUE INDEX payment_orders_undecided_idx ON payment_orders (user_id)
  WHERE automatic AND state = 'pending';
CREATE INDEX payment_orders_automatic_idx ON payment_orders (user_id, created_at) WHERE automatic;

-- Units that automatic orders since then bought, or may yet turn out to have bought.
CREATE FUNCTION automatic_units(payer integer, since timestamptz) RETURNS bigint
LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(units), 0)::bigint FROM payment_orders
  WHERE user_id = payer AND automatic AND created_at >= since AND state <> 'failed'
$$;

-- When a user's wallet is topped up, and by how much. The user is locked before it.
CREATE TABLE auto_topups (
  user_id      integer PRIMARY KEY REFERENCES users (id),
  is_on        boolean NOT NULL,
  -- Whose mandate is charged, and the mandate whose refusals are counted.
  gateway      text NOT NULL,
  mandate_id   integer NOT NULL REFERENCES payment_mandates (id),
  -- The balance below which it is topped up, in quota.
  below        bigint NOT NULL CHECK (below >= 0),
  -- Units of account: of one payment, and of all in a calendar month of UTC.
  amount       integer NOT NULL CHECK (amount > 0),
  monthly_cap  integer NOT NULL,
  -- The order whose outcome was not taken into account yet. It is written before the order is.
  order_no     text,
  -- Refusals in a row, what the last one said, and how long it is not tried again.
  failures     integer NOT NULL DEFAULT 0,
  refusal      text NOT NULL DEFAULT '',
  paused_until timestamptz,
  updated_at   timestamptz NOT NULL,
  CONSTRAINT auto_topups_cap_check CHECK (monthly_cap >= amount)
) WITH (fillfactor = 80);
CREATE INDEX auto_topups_on_idx ON auto_topups (user_id) WHERE is_on;
CREATE INDEX auto_topups_order_idx ON auto_topups (order_no) WHERE order_no IS NOT NULL;

-- Reports nobody could place: payments among them are looked for.
CREATE INDEX payment_events_unknown_idx ON payment_events (first_at)
  WHERE verdict = 'unknown_order';
