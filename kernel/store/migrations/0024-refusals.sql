-- What upstreams refused of a channel because they do not know or do not take it, by model and field: the first sign that what clients
-- send and what an upstream takes have drifted apart. Counts of all processes, added up.
CREATE TABLE channel_refusals (
  channel_id integer NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
  -- As the upstream knows it.
  model      text NOT NULL,
  -- Empty: the upstream named none.
  field      text NOT NULL,
  count      bigint NOT NULL CHECK (count > 0),
  first_seen timestamptz NOT NULL,
  last_seen  timestamptz NOT NULL,
  -- Of the last one: its status, and its words without what they repeat of the request.
  status     smallint NOT NULL,
  message    text NOT NULL,
  PRIMARY KEY (channel_id, model, field)
);
