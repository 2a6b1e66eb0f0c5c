-- The last report of each gateway is found without reading those of the others.
CREATE INDEX payment_events_gateway_idx ON payment_events (gateway, last_at DESC)
  WHERE address <> '';
