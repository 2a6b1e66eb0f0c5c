-- What people are to pay and what they get for it, and every report of a payment provider.

CREATE TYPE payment_state AS ENUM ('pending', 'paid', 'failed', 'expired', 'refunded');

-- Amounts are in minor units of their currency. Price and credit are pinned when the order is made: later edits of prices
-- never touch it. An order is locked before the account it credits.
CREATE TABLE payment_orders (
  id                 bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Known to payer and provider, unguessable.
  order_no           text NOT NULL UNIQUE CHECK (order_no ~ '^[0-9A-Za-z]{20,40}$'),
  user_id            integer NOT NULL REFERENCES users (id),
  gateway            text NOT NULL CHECK (gateway <> ''),
  -- The way to pay that was chosen, and the product that was; empty: none.
  method             text NOT NULL DEFAULT '',
  product            text NOT NULL DEFAULT '',
  amount_minor       bigint NOT NULL CHECK (amount_minor > 0),
  currency           text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  -- Credited once it is paid, the bonus included.
  quota              bigint NOT NULL CHECK (quota > 0),
  -- What price and credit were computed of.
  price              jsonb NOT NULL,
  -- No real money moves.
  is_test            boolean NOT NULL,
  state              payment_state NOT NULL DEFAULT 'pending',
  -- Why it failed, or who completed it.
  reason             text NOT NULL DEFAULT '',
  -- The provider's ids of what was opened and of what was paid.
  checkout_reference text,
  payment_reference  text,
  paid_minor         bigint CHECK (paid_minor >= 0),
  -- Paid back by the operator, and taken back by the payer's bank.
  refunded_minor     bigint NOT NULL DEFAULT 0 CHECK (refunded_minor >= 0),
  disputed_minor     bigint NOT NULL DEFAULT 0 CHECK (disputed_minor >= 0),
  -- Quota that was taken back for that, and by how many postings.
  returned           bigint NOT NULL DEFAULT 0 CHECK (returned BETWEEN 0 AND quota),
  returns            integer NOT NULL DEFAULT 0,
  created_at         timestamptz NOT NULL,
  expires_at         timestamptz NOT NULL,
  completed_at       timestamptz,
  -- When the provider was last asked about it.
  queried_at         timestamptz,
  CONSTRAINT payment_orders_paid_check
    CHECK ((state IN ('paid', 'refunded')) = (completed_at IS NOT NULL)),
  CONSTRAINT payment_orders_returned_check CHECK (returned = 0 OR completed_at IS NOT NULL)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX payment_orders_payment_idx ON payment_orders (gateway, payment_reference)
  WHERE payment_reference IS NOT NULL;
CREATE INDEX payment_orders_checkout_idx ON payment_orders (gateway, checkout_reference)
  WHERE checkout_reference IS NOT NULL;
CREATE INDEX payment_orders_user_idx ON payment_orders (user_id, id DESC);
CREATE INDEX payment_orders_open_idx ON payment_orders (expires_at) WHERE state = 'pending';

-- The inbox: what providers reported, and what came of it. Of what was not genuine there is one row for each hour, so that
-- a stranger cannot fill it. No body is kept: it may hold who paid and how.
CREATE TABLE payment_events (
  id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  gateway  text NOT NULL,
  -- The provider's id of the event.
  event    text NOT NULL,
  order_no text,
  verdict  text NOT NULL,
  -- What it reported: state, amount, currency, reference.
  detail   jsonb NOT NULL,
  -- SHA-256 of the body that came last; null: it was not a callback.
  body     bytea,
  -- Where the last came from; empty: it was fetched, or an admin did it.
  address  text NOT NULL DEFAULT '',
  times    integer NOT NULL DEFAULT 1,
  first_at timestamptz NOT NULL,
  last_at  timestamptz NOT NULL,
  UNIQUE (gateway, event)
);
CREATE INDEX payment_events_order_idx ON payment_events (order_no, id) WHERE order_no IS NOT NULL;
CREATE INDEX payment_events_last_idx ON payment_events (last_at DESC);
