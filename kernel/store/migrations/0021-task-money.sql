-- The money of media tasks: charged when the upstream accepts one, corrected once when it ends (ledger/README.md section 9).

-- Closes the hold of a task as its charge, whoever owned it: the process that sent it may be gone. `amount` null: at what is
-- set aside. `payload` as of a close; null: what the draft holds. Returns what stands charged; null: there is no such hold.
CREATE FUNCTION billing_task_charge(id text, amount bigint, payload jsonb) RETURNS bigint LANGUAGE plpgsql
SET enable_seqscan = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  request billing_requests;
BEGIN
  SELECT * INTO request FROM billing_requests r WHERE r.request_id = id AND r.kind = 'task' FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  IF request.state <> 'reserved' THEN
    RETURN coalesce(request.settled, 0);
  END IF;
  PERFORM billing_apply(
    '', 0, ARRAY[id], '{close}', NULL, NULL, NULL, NULL, ARRAY[coalesce(amount, request.reserved)],
    jsonb_build_array(coalesce(payload, '{"outcome": "complete", "delivered": true}')));
  RETURN coalesce(amount, request.reserved);
END
$$;

-- What a task cost in the end: the difference to its charge, once for each task. A refund and a difference share one key, so
-- that they exclude each other (M4, M5). `actual` null: the charge stands. The hold has to be closed.
CREATE FUNCTION billing_task_final(
  id text, task text, actual bigint, payload jsonb, OUT charged bigint, OUT quota bigint, OUT shortfall bigint
) LANGUAGE plpgsql
SET enable_seqscan = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  request billing_requests;
  delta bigint;
  posting text;
  room bigint;
BEGIN
  IF coalesce(task, '') = '' THEN
    RAISE EXCEPTION 'the end of a task without its id' USING ERRCODE = 'not_null_violation';
  END IF;
  SELECT * INTO request FROM billing_requests r WHERE r.request_id = id AND r.kind = 'task' FOR NO KEY UPDATE;
  IF NOT FOUND OR request.state = 'reserved' THEN
    RAISE EXCEPTION 'only the charge of a task can be corrected at its end' USING ERRCODE = 'restrict_violation';
  END IF;
  charged := coalesce(request.settled, 0);
  quota := coalesce(actual, charged);
  IF quota < 0 THEN
    RAISE EXCEPTION 'a task cannot cost less than nothing' USING ERRCODE = 'check_violation';
  END IF;
  shortfall := 0;
  delta := quota - charged;
  IF delta = 0 THEN
    RETURN;
  END IF;
  SELECT p.verdict INTO posting FROM ledger_post(
    'task_final:' || task, 'task_final', CASE WHEN delta > 0 THEN request.funding_account ELSE -1 END,
    CASE WHEN delta > 0 THEN -1 ELSE request.funding_account END,
    abs(delta), id, NULL, true, request.token_id) p;
  IF posting = 'already' THEN
    SELECT charged + CASE WHEN t.credit_account = -1 THEN t.amount ELSE -t.amount END
    INTO quota FROM transfers t WHERE t.idem_key = 'task_final:' || task;
    RETURN;
  END IF;
  INSERT INTO usage_log SELECT l.* FROM usage_log_row(
    id, CASE WHEN delta > 0 THEN 2 ELSE 6 END::smallint, request.user_id, request.token_id,
    abs(delta), coalesce(payload -> 'draft', request.draft), payload) l;
  SELECT a.posted - a.held - a.floor INTO room FROM accounts a WHERE a.id = request.funding_account;
  shortfall := greatest(0, least(delta, -room));
END
$$;
