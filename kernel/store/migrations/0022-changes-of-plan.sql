-- Which subscription took the place of which: money that is taken back later may have paid for what stands now.
ALTER TABLE subscriptions ADD COLUMN replaces integer REFERENCES subscriptions (id);

-- Of changes that were paid by a gateway the order states it; of others nothing does.
UPDATE subscriptions s SET replaces = o.replaced
FROM (
  SELECT order_no, (price #>> '{pinned,replaced,id}')::integer AS replaced FROM payment_orders
  WHERE plan_id IS NOT NULL AND price #>> '{pinned,replaced,id}' IS NOT NULL
) o
WHERE o.order_no = s.order_no;

CREATE INDEX subscriptions_replaces_idx ON subscriptions (replaces) WHERE replaces IS NOT NULL;
