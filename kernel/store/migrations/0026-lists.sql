-- What lists of the management API are ordered and filtered by, where a table grows with the installation.

-- All that a list of users is filtered by: an index that is read from end to end instead of the rows, since a text may stand
-- anywhere in a name. An entry takes 2,704 bytes; the longest there may be has 1,700.
CREATE INDEX users_list_idx ON users (id) INCLUDE (search, role, status, "group", deleted_at);
CREATE INDEX users_prefix_idx ON users (lower(username) text_pattern_ops);
CREATE INDEX users_name_idx ON users (username, id);
CREATE INDEX users_group_idx ON users ("group", id);
CREATE INDEX users_created_at_idx ON users (created_at, id);
CREATE INDEX users_last_login_at_idx ON users (last_login_at, id);
-- Beginnings of a text, whatever the language of the database.
DROP INDEX audit_log_action_idx;
CREATE INDEX audit_log_action_idx ON audit_log (action text_pattern_ops, id DESC);

CREATE INDEX payment_orders_state_idx ON payment_orders (state, id DESC);
CREATE INDEX payment_orders_gateway_idx ON payment_orders (gateway, id DESC);
CREATE INDEX payment_orders_reference_idx ON payment_orders (payment_reference)
  WHERE payment_reference IS NOT NULL;
CREATE INDEX payment_orders_completed_idx ON payment_orders (completed_at)
  INCLUDE (gateway, currency, is_test, paid_minor, refunded_minor, disputed_minor, quota, returned)
  WHERE completed_at IS NOT NULL;

CREATE INDEX tasks_model_idx ON tasks (model, id DESC);
CREATE INDEX tasks_state_idx ON tasks (state, id DESC);
CREATE INDEX tasks_operation_idx ON tasks (operation, id DESC);
CREATE INDEX tasks_platform_idx ON tasks (platform, id DESC);
CREATE INDEX tasks_created_at_idx ON tasks (created_at DESC, id DESC);

CREATE INDEX redemption_codes_name_idx ON redemption_codes (name, id DESC);
CREATE INDEX redemption_codes_off_idx ON redemption_codes (id DESC) WHERE NOT is_on;
