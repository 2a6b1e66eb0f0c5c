-- Plans, who has subscribed to one, and the periods in which quota was granted for it.

-- The other side of what subscriptions are granted, give back and cost: its balance is what they used, less what was paid
-- for them from wallets.
INSERT INTO accounts (id, kind, owner_id, period_key) VALUES (-5, 'system', 0, 'subscriptions');

CREATE TABLE subscription_plans (
  id            integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  is_on         boolean NOT NULL DEFAULT true,
  sort_order    integer NOT NULL DEFAULT 0,
  -- What one subscription is: title, duration, quota, resets, caps, what it covers, groups.
  terms         jsonb NOT NULL,
  -- Price of one duration in minor units, by currency; the first is shown.
  prices        jsonb NOT NULL,
  -- Price from the wallet, in quota. Null: it is not sold for that.
  balance_price bigint CHECK (balance_price >= 0),
  -- Products of gateways that sell by product, by gateway.
  products      jsonb NOT NULL,
  -- How often one user may buy it; 0: as often as they like.
  purchases_max integer NOT NULL DEFAULT 0 CHECK (purchases_max >= 0),
  -- Days for which a user may try it once, for nothing; 0: none.
  trial_days    integer NOT NULL DEFAULT 0 CHECK (trial_days >= 0),
  created_at    timestamptz NOT NULL,
  updated_at    timestamptz NOT NULL
);

CREATE TYPE subscription_state AS ENUM ('active', 'expired', 'cancelled');

-- Terms are pinned when it begins: later edits of its plan never touch it. The user is locked before it.
CREATE TABLE subscriptions (
  id             integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id        integer NOT NULL REFERENCES users (id),
  plan_id        integer NOT NULL REFERENCES subscription_plans (id),
  terms          jsonb NOT NULL,
  state          subscription_state NOT NULL DEFAULT 'active',
  -- How it was come by: order, balance, admin, trial, welcome.
  source         text NOT NULL,
  -- The order that opened it.
  order_no       text UNIQUE,
  -- What was paid for the duration that runs: an amount in a currency, or quota of the wallet. Null: nothing was.
  paid_minor     bigint CHECK (paid_minor >= 0),
  currency       text,
  paid_quota     bigint CHECK (paid_quota >= 0),
  starts_at      timestamptz NOT NULL,
  -- When the duration that runs began: renewals move it.
  term_starts_at timestamptz NOT NULL,
  ends_at        timestamptz NOT NULL,
  -- How it goes on: '' not at all, 'balance' from the wallet, 'gateway' by what the provider collects.
  renewal        text NOT NULL DEFAULT '',
  -- What the wallet pays for each renewal, agreed when it was bought.
  renewal_quota  bigint CHECK (renewal_quota >= 0),
  renewals       integer NOT NULL DEFAULT 0,
  gateway        text,
  -- What repeats, as the provider calls it; and when it was ended there.
  agreement      text,
  agreement_ended_at timestamptz,
  -- The group of its user before it moved them.
  previous_group text,
  reason         text NOT NULL DEFAULT '',
  created_at     timestamptz NOT NULL,
  ended_at       timestamptz,
  CONSTRAINT subscriptions_ended_check CHECK ((state = 'active') = (ended_at IS NULL))
) WITH (fillfactor = 80);
CREATE INDEX subscriptions_user_idx ON subscriptions (user_id, id DESC);
CREATE INDEX subscriptions_plan_idx ON subscriptions (plan_id, id DESC);
CREATE INDEX subscriptions_end_idx ON subscriptions (ends_at) WHERE state = 'active';
CREATE UNIQUE INDEX subscriptions_agreement_idx ON subscriptions (gateway, agreement)
  WHERE agreement IS NOT NULL;
CREATE UNIQUE INDEX subscriptions_trial_idx ON subscriptions (user_id, plan_id)
  WHERE source = 'trial';

-- Each has an account of its own. It is closed once nothing is held on it any more: what is left goes back.
CREATE TABLE subscription_periods (
  subscription_id integer NOT NULL REFERENCES subscriptions (id),
  number          integer NOT NULL CHECK (number > 0),
  account_id      integer NOT NULL UNIQUE REFERENCES accounts (id),
  -- Null: without bound.
  granted         bigint CHECK (granted >= 0),
  starts_at       timestamptz NOT NULL,
  ends_at         timestamptz NOT NULL,
  closed_at       timestamptz,
  -- What went back; below 0: what was used beyond the grant.
  returned        bigint,
  PRIMARY KEY (subscription_id, number),
  CONSTRAINT subscription_periods_closed_check CHECK ((closed_at IS NULL) = (returned IS NULL))
) WITH (fillfactor = 80);
CREATE INDEX subscription_periods_open_idx ON subscription_periods (ends_at)
  WHERE closed_at IS NULL;

-- How much may be used within a day, a week or the like: windows that follow one another whatever periods do.
CREATE TABLE subscription_caps (
  subscription_id integer NOT NULL REFERENCES subscriptions (id),
  -- Which of its terms.
  number          integer NOT NULL,
  -- What all periods had used when the window began.
  base            bigint NOT NULL,
  starts_at       timestamptz NOT NULL,
  ends_at         timestamptz NOT NULL,
  PRIMARY KEY (subscription_id, number)
) WITH (fillfactor = 80);
CREATE INDEX subscription_caps_end_idx ON subscription_caps (ends_at);

-- What users prefer to pay from; who has no row: subscription_first.
CREATE TABLE subscription_preferences (
  user_id    integer PRIMARY KEY REFERENCES users (id),
  preference text NOT NULL
);

-- Orders of plans: they credit no wallet.
ALTER TABLE payment_orders
  ADD COLUMN plan_id integer REFERENCES subscription_plans (id),
  -- What it opened or renewed; before that, what it is to replace.
  ADD COLUMN subscription_id integer REFERENCES subscriptions (id),
  -- It is paid again and again, as the provider calls that.
  ADD COLUMN recurring boolean NOT NULL DEFAULT false,
  DROP CONSTRAINT payment_orders_quota_check,
  ADD CONSTRAINT payment_orders_quota_check CHECK (quota > 0 OR plan_id IS NOT NULL AND quota = 0),
  ADD CONSTRAINT payment_orders_plan_check
    CHECK (plan_id IS NULL OR completed_at IS NULL OR subscription_id IS NOT NULL);
CREATE INDEX payment_orders_subscription_idx ON payment_orders (subscription_id)
  WHERE subscription_id IS NOT NULL;
