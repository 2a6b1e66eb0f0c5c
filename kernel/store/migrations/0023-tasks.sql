-- Media tasks: work of an upstream that outlives its request (plugins/services/tasks/README.md).

CREATE TYPE task_state AS ENUM ('submitting', 'queued', 'running', 'unknown', 'succeeded', 'failed');
-- `open`: the hold of its request pays, and is not closed yet as far as this row knows. `charged`: the upstream accepted it.
-- `final`: nothing moves any more.
CREATE TYPE task_billing AS ENUM ('open', 'charged', 'final');

CREATE TABLE tasks (
  id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- `task_` and the characters of the request id: what clients know it by.
  task_id          text NOT NULL UNIQUE CHECK (task_id <> ''),
  request_id       text NOT NULL UNIQUE CHECK (request_id <> ''),
  user_id          integer NOT NULL REFERENCES users (id),
  token_id         integer,
  group_name       text NOT NULL,
  -- The operation of the line, and what of it: `video`, `remix`.
  operation        text NOT NULL,
  action           text NOT NULL,
  -- The plugin whose adapter submitted it. Empty until one is chosen.
  platform         text NOT NULL DEFAULT '',
  model            text NOT NULL,
  upstream_model   text NOT NULL DEFAULT '',
  -- Where it was submitted. No references: a task outlives its channel, and states that it is gone.
  channel_id       integer NOT NULL DEFAULT 0,
  key_id           integer NOT NULL DEFAULT 0,
  -- The upstream's id: shown to nobody.
  upstream_ref     text,
  keep             jsonb NOT NULL DEFAULT '{}',
  -- The task it goes on from.
  origin_id        bigint REFERENCES tasks (id) ON DELETE SET NULL,
  state            task_state NOT NULL DEFAULT 'submitting',
  -- The upstream's own word for the state.
  word             text NOT NULL DEFAULT '',
  percent          smallint NOT NULL DEFAULT 0 CHECK (percent BETWEEN 0 AND 100),
  reason           text NOT NULL DEFAULT '',
  -- What the client requested, media left out.
  request          jsonb NOT NULL DEFAULT '{}',
  results          jsonb NOT NULL DEFAULT '[]',
  -- The upstream's last answer, keys and large texts taken out.
  raw              jsonb NOT NULL DEFAULT '{}',
  billing          task_billing NOT NULL DEFAULT 'open',
  -- Charged when it was accepted, and what it cost in the end. Quota.
  charged          bigint CHECK (charged >= 0),
  cost             bigint CHECK (cost >= 0),
  -- The price it was admitted with, and the quantities it was charged for and made.
  terms            jsonb,
  requested        jsonb,
  made             jsonb,
  -- CHAN-3, as the channel had it at submission. Null: the channel's current setting counts.
  delta_off        boolean,
  -- A success that came when it had failed already: the operator's loss.
  late_success     boolean NOT NULL DEFAULT false,
  -- The client's own address for the end of the task, sealed. Null: none.
  callback         text,
  -- The call to the upstream was about to be made.
  sent_at          timestamptz,
  accepted_at      timestamptz,
  started_at       timestamptz,
  finished_at      timestamptz,
  created_at       timestamptz NOT NULL DEFAULT now(),
  updated_at       timestamptz NOT NULL DEFAULT now(),
  -- When its upstream is asked next; whoever asks moves it on first. Null: never.
  poll_at          timestamptz,
  poll_failures    integer NOT NULL DEFAULT 0,
  -- It has failed when this comes. Null: it has ended.
  deadline_at      timestamptz,
  -- The owner no longer wants to see it.
  hidden           boolean NOT NULL DEFAULT false,
  -- Which of its results, counted from 0, are kept here, not only at the upstream.
  stored           smallint[] NOT NULL DEFAULT '{}',
  CONSTRAINT tasks_ended_check CHECK ((state IN ('succeeded', 'failed')) = (finished_at IS NOT NULL))
) WITH (fillfactor = 70);

-- What is due, by channel and key: a round costs what there is to ask, not what exists.
CREATE INDEX tasks_poll_idx ON tasks (channel_id, key_id, poll_at) WHERE poll_at IS NOT NULL;
CREATE INDEX tasks_deadline_idx ON tasks (deadline_at) WHERE deadline_at IS NOT NULL;
CREATE INDEX tasks_submitting_idx ON tasks (created_at) WHERE state = 'submitting';
CREATE INDEX tasks_user_idx ON tasks (user_id, id DESC);
CREATE INDEX tasks_under_way_idx ON tasks (user_id, token_id) WHERE finished_at IS NULL;
CREATE INDEX tasks_channel_idx ON tasks (channel_id, id DESC);
CREATE INDEX tasks_finished_idx ON tasks (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX tasks_origin_idx ON tasks (origin_id) WHERE origin_id IS NOT NULL;

-- Every state a task was in, and every word of its upstream.
CREATE TABLE task_states (
  id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  task    bigint NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
  state   task_state NOT NULL,
  word    text NOT NULL DEFAULT '',
  reason  text NOT NULL DEFAULT '',
  at      timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX task_states_task_idx ON task_states (task, id);

-- Makes the row of a task before its money is set aside, or takes it up again for a further attempt. `user` and `token`: so many of
-- theirs are under way already; `rate`: so many were begun within a minute. Counted one after the other for each user.
CREATE FUNCTION task_begin(fields jsonb, of_user integer, of_token integer, a_minute integer, at_time timestamptz)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  begun timestamptz;
  owner integer := (fields ->> 'user_id')::integer;
  token integer := (fields ->> 'token_id')::integer;
BEGIN
  -- One within a request may have been refused by a channel, and noted as failed, before the next takes it.
  UPDATE tasks SET
    sent_at = NULL, updated_at = at_time, state = 'submitting', billing = 'open', reason = '', charged = NULL, cost = NULL,
    finished_at = NULL
  WHERE request_id = fields ->> 'request_id' AND upstream_ref IS NULL AND state IN ('submitting', 'failed');
  IF FOUND THEN
    RETURN 'ok';
  END IF;
  PERFORM pg_advisory_xact_lock(22, owner);
  IF of_user > 0 AND (SELECT count(*) FROM (
      SELECT FROM tasks WHERE user_id = owner AND finished_at IS NULL LIMIT of_user) under_way) >= of_user THEN
    RETURN 'user';
  END IF;
  IF of_token > 0 AND token IS NOT NULL AND (SELECT count(*) FROM (
      SELECT FROM tasks WHERE user_id = owner AND token_id = token AND finished_at IS NULL LIMIT of_token
    ) under_way) >= of_token THEN
    RETURN 'token';
  END IF;
  IF a_minute > 0 THEN
    SELECT created_at INTO begun FROM tasks WHERE user_id = owner ORDER BY id DESC OFFSET a_minute - 1 LIMIT 1;
    IF begun > at_time - interval '1 minute' THEN
      RETURN 'rate';
    END IF;
  END IF;
  INSERT INTO tasks (
    task_id, request_id, user_id, token_id, group_name, operation, action, model, channel_id, key_id, origin_id, request,
    callback, created_at, updated_at
  ) VALUES (
    fields ->> 'task_id', fields ->> 'request_id', owner, token, fields ->> 'group_name', fields ->> 'operation',
    fields ->> 'action', fields ->> 'model', (fields ->> 'channel_id')::integer, (fields ->> 'key_id')::integer,
    (SELECT id FROM tasks WHERE task_id = fields ->> 'origin' AND user_id = owner), fields -> 'request',
    fields ->> 'callback', at_time, at_time
  );
  RETURN 'ok';
END
$$;

-- Releases the hold of a task that was never accepted, whoever owned it: the process that made it is gone. Returns false where it
-- is no longer open.
CREATE FUNCTION billing_task_release(id text) RETURNS boolean LANGUAGE plpgsql
SET enable_seqscan = off
SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  PERFORM FROM billing_requests r WHERE r.request_id = id AND r.kind = 'task' AND r.state = 'reserved' FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM billing_apply(
    '', 0, ARRAY[id], '{close}', NULL, NULL, NULL, NULL, ARRAY[0::bigint],
    '[{"outcome": "cut", "delivered": false}]');
  RETURN true;
END
$$;

-- Open holds of tasks whose owner is gone, oldest first.
CREATE INDEX billing_requests_task_idx ON billing_requests (created_at) WHERE kind = 'task' AND state = 'reserved';

-- Bytes of results that an upstream sent along, as data URLs: apart from their tasks, since only those read them who fetch them.
CREATE TABLE task_bytes (
  task   bigint NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
  index  smallint NOT NULL,
  data   text NOT NULL,
  PRIMARY KEY (task, index)
);
-- Base64 of what is compressed already.
ALTER TABLE task_bytes ALTER COLUMN data SET STORAGE EXTERNAL;
-- Results that are stored, or were to be. `leaving`: the file is deleted first, then the row.
CREATE TYPE task_stored_state AS ENUM ('pending', 'stored', 'failed', 'leaving');
CREATE TABLE task_stored (
  -- A task with rows here cannot be deleted, so that no file is left behind.
  task       bigint NOT NULL REFERENCES tasks (id),
  -- Counted from 0.
  result     smallint NOT NULL,
  state      task_stored_state NOT NULL DEFAULT 'pending',
  -- `folder` or `s3`, and the name of the file there.
  place      text NOT NULL,
  name       text NOT NULL,
  mime       text NOT NULL DEFAULT '',
  bytes      bigint NOT NULL DEFAULT 0,
  -- A try counts when it begins.
  tries      integer NOT NULL DEFAULT 0,
  -- Why the last try failed.
  reason     text NOT NULL DEFAULT '',
  -- When it is tried next; whoever tries moves it on first. Null: there is nothing to do.
  next_at    timestamptz,
  stored_at  timestamptz,
  PRIMARY KEY (task, result)
);
CREATE INDEX task_stored_next_idx ON task_stored (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX task_stored_at_idx ON task_stored (stored_at) WHERE state = 'stored';
-- When its upstream was requested to end it. One that is gone from then on may have been made before, and is not paid back.
ALTER TABLE tasks ADD COLUMN cancel_at timestamptz;

-- Makes an open hold that of a task: its upstream works asynchronously, so that no lease may end it. Returns false where it is not
-- open.
CREATE FUNCTION billing_task_adopt(id text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE billing_requests SET kind = 'task' WHERE request_id = id AND state = 'reserved';
  RETURN FOUND;
END
$$;
